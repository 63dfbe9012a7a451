"use strict";
(() => {
  const root = document.documentElement;
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : window.matchMedia("(prefers-color-scheme: dark)").matches;
  const toggle = document.getElementById("theme");
  if (toggle) toggle.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; });

  // A saved chart must stand alone: black on white whatever the page looks like.
  const standalone = (svg) => {
    const copy = svg.cloneNode(true);
    copy.setAttribute("color", "black");
    copy.setAttribute("style", "background:white");
    const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    paper.setAttribute("width", "100%"); paper.setAttribute("height", "100%"); paper.setAttribute("fill", "white");
    copy.insertBefore(paper, copy.firstChild);
    return new XMLSerializer().serializeToString(copy);
  };
  const save = (blob, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob); link.download = name;
    document.body.append(link); link.click(); link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  document.querySelectorAll("[data-save]").forEach((button) => button.addEventListener("click", () => {
    const svg = document.querySelector(`#figure-${button.dataset.figure} svg`);
    const text = new Blob([standalone(svg)], {type: "image/svg+xml"});
    if (button.dataset.save === "svg") { save(text, `${button.dataset.figure}.svg`); return; }
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = svg.viewBox.baseVal.width * 2; canvas.height = svg.viewBox.baseVal.height * 2;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(blob, `${button.dataset.figure}.png`), "image/png");
      URL.revokeObjectURL(image.src);
    };
    image.src = URL.createObjectURL(text);
  }));
  document.querySelectorAll(".tools").forEach((tools) => { tools.hidden = false; });
})();
