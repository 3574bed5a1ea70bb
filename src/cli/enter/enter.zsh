# Foretell at Enter, for zsh: what is typed is predicted before it runs (docs/enter.md). The widgets that accept a line ask first;
# those that were there before, also of other plugins, accept it.

# Asks, and accepts the line by the widget of that name unless it is held.
__foretell_accept() {
  local -A __foretell_options=("${(@kv)options}")
  emulate -L zsh
  local __foretell_text=$PREBUFFER$BUFFER __foretell_answer __foretell_state=
  local -i __foretell_end
  if [[ $CONTEXT != (start|cont) || -z ${__foretell_text//[[:space:]]/} ]]; then
    zle $1
    return
  fi
  if [[ $__foretell_held == $__foretell_text ]]; then
    __foretell_released=$__foretell_text
    __foretell_back
    zle $1
    return
  fi
  if [[ -n $__foretell_released && $PREBUFFER == $__foretell_released* ]]; then
    zle $1
    return
  fi
  if [[ ${__foretell_options[banghist]} == on && $BUFFER == *${histchars[1]:-!}* ]]; then
    local __foretell_line=$BUFFER
    local -i __foretell_cursor=$CURSOR
    zle .expand-history 2>/dev/null
    __foretell_text=$PREBUFFER$BUFFER
    if [[ $BUFFER != $__foretell_line ]]; then
      BUFFER=$__foretell_line
      CURSOR=$__foretell_cursor
    fi
  fi
  # What only this shell knows is not asked.
  if [[ ! $__foretell_text =~ '\$\{?[?!_$]([^A-Za-z0-9_]|$)' ]] && __foretell_define; then
    __foretell_answer=$(FORETELL_ENTER_LINE=$__foretell_text FORETELL_ENTER_STATE=$__foretell_state \
      $__foretell_client zsh ${COLUMNS:-80} ${FORETELL_ENTER_WITHIN:-300} 2>/dev/null </dev/null)
    __foretell_end=$?
  fi
  case $__foretell_end in
    0) zle $1 ;;
    1)
      __foretell_held=$PREBUFFER$BUFFER
      __foretell_bind_escape
      zle -M -- $__foretell_answer
      ;;
    130) ;;
    *)
      # A line that is longer than a program can be told, 128 KB, is none of the service's faults.
      if [[ -z $__foretell_told && $#__foretell_text -lt 100000 ]]; then
        __foretell_told=1
        zle -I
        print -u2 -r -- 'Foretell cannot be asked; lines run as if it were not there. To see why: foretell status'
      fi
      zle $1
      ;;
  esac
}

# What the names in the line mean here, as far as it is not exported: commands that define it anew. Fails where it is too much.
__foretell_define() {
  local __foretell_name __foretell_todo=$__foretell_text
  local -A __foretell_known
  for __foretell_name in extendedglob globdots nullglob cshnullglob shwordsplit ksharrays kshglob globstarshort globsubst \
    magicequalsubst rcquotes numericglobsort errexit pipefail ignorebraces braceccl equals; do
    [[ ${__foretell_options[$__foretell_name]} == on && $__foretell_name != equals ]] && __foretell_state+="setopt $__foretell_name"$'\n'
  done
  for __foretell_name in nomatch clobber glob unset bareglobqual; do
    [[ ${__foretell_options[$__foretell_name]} == off ]] && __foretell_state+="unsetopt $__foretell_name"$'\n'
  done
  # A script has comments always.
  [[ ${__foretell_options[interactivecomments]} == off && $__foretell_text == *\#* ]] && __foretell_state+=$'histchars=$\'!^\\x01\'\n'
  while [[ -n $__foretell_todo ]]; do
    local -a __foretell_words=(${(z)__foretell_todo}) __foretell_names=(${=__foretell_todo//[^A-Za-z0-9_]/ })
    __foretell_todo=
    for __foretell_name in $__foretell_words; do
      [[ -n ${__foretell_known[c$__foretell_name]} || $__foretell_name == __foretell* ]] && continue
      __foretell_known[c$__foretell_name]=1
      if (( ${+aliases[$__foretell_name]} )); then
        __foretell_state+="alias -- ${(q)__foretell_name}=${(q)aliases[$__foretell_name]}"$'\n'
        __foretell_todo+=" $aliases[$__foretell_name]"
      elif (( ${+galiases[$__foretell_name]} )); then
        __foretell_state+="alias -g -- ${(q)__foretell_name}=${(q)galiases[$__foretell_name]}"$'\n'
        __foretell_todo+=" $galiases[$__foretell_name]"
      fi
      if (( ${+functions[$__foretell_name]} )) && [[ $functions[$__foretell_name] != *'builtin autoload -X'* ]]; then
        __foretell_state+="${(q)__foretell_name} () {"$'\n'"$functions[$__foretell_name]"$'\n}\n'
        __foretell_todo+=" $functions[$__foretell_name]"
      fi
    done
    for __foretell_name in $__foretell_names; do
      [[ $__foretell_name == [A-Za-z_]* && $__foretell_name != __foretell* && -z ${__foretell_known[v$__foretell_name]} ]] || continue
      __foretell_known[v$__foretell_name]=1
      [[ -z ${(Pt)__foretell_name} || ${(Pt)__foretell_name} == *(export|special|readonly|local)* ]] && continue
      __foretell_state+="$(typeset -p -- $__foretell_name 2>/dev/null)"$'\n'
    done
    (( $#__foretell_state < 60000 )) || return 1
  done
  return 0
}

# Esc, until the line is another one's: Enter asks anew.
__foretell_escape() {
  local before=$__foretell_escapes[$KEYMAP]
  __foretell_back
  zle -M ''
  [[ -n $before && $before != undefined-key ]] && zle $before
  return 0
}

__foretell_bind_escape() {
  local map main="$(bindkey -lL main)"
  (( $#__foretell_escapes )) && return
  for map in emacs viins vicmd; do
    __foretell_escapes[$map]=${"$(bindkey -M $map '^[')"##* }
    bindkey -M $map '^[' __foretell_escape
  done
  main=${${main#bindkey -A }%% *}
  [[ -n $__foretell_escapes[$main] ]] && __foretell_escapes[main]=$__foretell_escapes[$main]
}

__foretell_back() {
  local map
  __foretell_held=
  for map in ${(k)__foretell_escapes:#main}; do
    if [[ $__foretell_escapes[$map] == undefined-key ]]; then bindkey -M $map -r '^['; else bindkey -M $map '^[' $__foretell_escapes[$map]; fi
  done
  __foretell_escapes=()
}

__foretell_precmd() {
  __foretell_released=
  [[ -n $__foretell_held ]] && __foretell_back
  return 0
}

if [[ -o interactive && -o zle ]] && (( ! ${+__foretell_held} )); then
  zmodload zsh/zle zsh/parameter
  typeset -g __foretell_held= __foretell_released= __foretell_told=
  typeset -gA __foretell_escapes
  () {
    emulate -L zsh
    local name
    for name in accept-line accept-and-hold accept-line-and-down-history accept-and-infer-next-history; do
      zle -A $name __foretell-before-$name
      functions[__foretell-$name]="__foretell_accept __foretell-before-$name"
      zle -N $name __foretell-$name
    done
    zle -N __foretell_escape
    autoload -Uz add-zsh-hook
    add-zsh-hook precmd __foretell_precmd
    # The service is there when the first line comes; one of another priority would not be ours.
    setopt no_bg_nice
    ($__foretell_client wake >/dev/null 2>&1 </dev/null &)
  }
fi
