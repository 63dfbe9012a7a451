_evenhand() {
  local offered="" verb="${words[2]}" inner="${words[3]}" current="${words[CURRENT]}"
  local before="${words[CURRENT-1]}" place="$((CURRENT - 1))"
  _evenhand_words
  local -a listed=(${=offered})
  compadd -S '' -- ${(M)listed:#*:}
  compadd -- ${listed:#*:}
  # files too, where no option was begun and nothing else is known
  [[ "$current" == -* || $place -eq 1 ]] || _files
}
compdef _evenhand evenhand
