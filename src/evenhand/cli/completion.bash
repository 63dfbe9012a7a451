_evenhand() {
  local offered="" verb="${COMP_WORDS[1]}" inner="${COMP_WORDS[2]}" current="${COMP_WORDS[COMP_CWORD]}"
  local before="${COMP_WORDS[COMP_CWORD-1]}" place="$COMP_CWORD"
  # bash cuts words at colons: libretranslate:URL comes as three
  [ "$before" = ":" ] && return
  _evenhand_words
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
  case "${COMPREPLY[0]}" in *:) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _evenhand evenhand
