# Foretell at Enter, for zsh: what is typed is predicted before it runs (docs/enter.md). The widgets that accept a line ask first;
# those that were there before, also of other plugins, accept it.

# Asks, and accepts the line by the widget of that name unless it is held.
__foretell_accept() {
  local -A __foretell_options=("${(@kv)options[@]}")
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
  # Ctrl+C finishes no line.
  (( ${+__foretell_hint_line} )) && __foretell_hint_end
  [[ -n $__foretell_held ]] && __foretell_back
  return 0
}

# The hint while somebody types, where FORETELL_ENTER_HINT asks for it: in zsh's own row below the line, which is gone whenever zsh draws
# the line again. Neither the line nor POSTDISPLAY, which belongs to other plugins, is touched, and nobody waits: a process sleeps, another
# asks, and zle tells when either has ended. One sleeper at most is there, not one for each key.
__foretell_hint_key() {
  local text=$PREBUFFER$BUFFER
  __foretell_hint_at=$EPOCHREALTIME
  if [[ $text == $__foretell_hint_line ]]; then
    # Only the cursor moved. What is known is shown again.
    [[ -n $__foretell_hint_answer ]] || return
  else
    __foretell_hint_line=$text
    __foretell_hint_off
  fi
  # Lists belong to whoever completes.
  __foretell_hint_wanted=0
  [[ $CONTEXT == start && -n ${text//[[:space:]]/} && $widgets[$LASTWIDGET] != *complet* ]] || return
  __foretell_hint_wanted=1
  (( __foretell_hint_sleeps )) || __foretell_hint_sleep $__foretell_hint_pause
}

__foretell_hint_sleep() {
  local fd
  exec {fd}< <(exec sleep $1 </dev/null 2>/dev/null) || return
  __foretell_hint_sleeps=$fd
  zle -F -w $fd __foretell_hint_due
}

# There was a pause, or a key came meanwhile.
__foretell_hint_due() {
  emulate -L zsh
  local -F left
  __foretell_hint_close $__foretell_hint_sleeps
  __foretell_hint_sleeps=0
  (( __foretell_hint_wanted )) && [[ -z $__foretell_held && $PREBUFFER$BUFFER == $__foretell_hint_line ]] || return
  left=$(( __foretell_hint_at + __foretell_hint_pause - EPOCHREALTIME ))
  if (( left > 0.02 )); then
    __foretell_hint_sleep $left
  elif [[ -n $__foretell_hint_answer ]]; then
    __foretell_hint_wanted=0
    zle -R $__foretell_hint_answer
  else
    __foretell_hint_ask
  fi
}

__foretell_hint_ask() {
  local -A __foretell_options=("${(@kv)options[@]}")
  emulate -L zsh
  local __foretell_text=$PREBUFFER$BUFFER __foretell_state= fd
  __foretell_hint_wanted=0
  # What only this shell knows is not asked, nor what history would put in its place.
  [[ $__foretell_text =~ '\$\{?[?!_$]([^A-Za-z0-9_]|$)' ]] && return
  [[ ${__foretell_options[banghist]} == on && $__foretell_text == *${histchars[1]:-!}* ]] && return
  (( $#__foretell_text < 60000 )) && __foretell_define || return
  exec {fd}< <(
    print -r -- $sysparams[pid]
    FORETELL_ENTER_LINE=$__foretell_text FORETELL_ENTER_STATE=$__foretell_state \
      exec $__foretell_client zsh ${COLUMNS:-80} 3000 hint 2>/dev/null </dev/null
  ) || return
  IFS= read -r __foretell_hint_process <&$fd
  __foretell_hint_asks=$fd
  zle -F -w $fd __foretell_hint_told
}

__foretell_hint_told() {
  emulate -L zsh
  local answer
  IFS= read -r answer <&$__foretell_hint_asks
  __foretell_hint_close $__foretell_hint_asks
  __foretell_hint_asks=0
  [[ -n $answer && -z $__foretell_held && $PREBUFFER$BUFFER == $__foretell_hint_line ]] || return
  __foretell_hint_answer=$answer
  zle -R $answer
}

__foretell_hint_close() {
  local fd=$1
  zle -F $fd
  exec {fd}<&-
}

# What is asked is given up, and what is known is forgotten.
__foretell_hint_off() {
  __foretell_hint_answer=
  if (( __foretell_hint_asks )); then
    kill $__foretell_hint_process 2>/dev/null
    __foretell_hint_close $__foretell_hint_asks
    __foretell_hint_asks=0
  fi
}

__foretell_hint_end() {
  __foretell_hint_off
  __foretell_hint_line=
  __foretell_hint_wanted=0
}

# While the history is searched, the row below shows for what.
__foretell_hint_search() {
  __foretell_hint_off
  __foretell_hint_wanted=0
}

__foretell_hint_begin() {
  zmodload zsh/system zsh/datetime
  typeset -gi __foretell_hint_asks=0 __foretell_hint_sleeps=0 __foretell_hint_wanted=0
  typeset -gF __foretell_hint_at=0 __foretell_hint_pause=0.5
  typeset -g __foretell_hint_line= __foretell_hint_answer= __foretell_hint_process=
  zle -N __foretell_hint_due
  zle -N __foretell_hint_told
  autoload -Uz add-zle-hook-widget
  add-zle-hook-widget line-pre-redraw __foretell_hint_key
  add-zle-hook-widget isearch-update __foretell_hint_search
  add-zle-hook-widget line-finish __foretell_hint_end
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
    [[ -z ${FORETELL_ENTER_HINT-} ]] || __foretell_hint_begin
    # The service is there when the first line comes; one of another priority would not be ours.
    setopt no_bg_nice
    ($__foretell_client wake >/dev/null 2>&1 </dev/null &)
  }
fi
