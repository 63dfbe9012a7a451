"use strict";
(() => {
  // One key a label: press what the button shows. Typing in a field stays typing.
  // Who dictates to the machine, or whose hand is not steady, can turn that off.
  const oneKey = document.getElementById("one-key");
  try {
    if (oneKey) oneKey.checked = localStorage.getItem("one-key") !== "off";
    oneKey?.addEventListener("change", () => localStorage.setItem("one-key", oneKey.checked ? "on" : "off"));
  } catch { /* a browser that keeps nothing: it holds for this sentence */ }
  document.addEventListener("keydown", (event) => {
    if (oneKey && !oneKey.checked) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("input, textarea, select")) return;
    const target = [...document.querySelectorAll("[data-key]")].find((e) => e.dataset.key === event.key.toLowerCase());
    if (target && !target.disabled) { event.preventDefault(); target.click(); }
  });
  // A second click while the first is on its way would label the next sentence unseen.
  document.querySelectorAll("form[method=post]").forEach((form) => form.addEventListener("submit", (event) => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "yes";
  }));
  // Systems that do not know the chosen languages cannot be chosen.
  const source = document.getElementById("source"), target = document.getElementById("target");
  const offers = document.querySelectorAll("[data-pairs]");
  const offer = () => offers.forEach((box) => {
    const able = box.dataset.pairs.split(" ").includes(`${source.value}-${target.value}`);
    if (able && box.disabled) box.checked = true;
    box.disabled = !able;
    box.parentElement.querySelector("[data-unable]").hidden = able;
  });
  if (source && target && offers.length) {
    offer();
    [source, target].forEach((choice) => choice.addEventListener("change", offer));
  }
  // On a phone the filters would push the sentences out of sight.
  const filters = document.querySelector(".filters > details");
  if (filters && window.matchMedia("(max-width: 52rem)").matches) filters.open = false;
})();
