# Foretell at Enter, for bash 4.4 and newer: what is typed is predicted before it runs (docs/enter.md). Enter becomes two keys: the
# first asks, in a subshell, which can change nothing here; the second accepts the line, unless it is held.

# Exit status: 0 the line runs, 1 it is held, 5 it runs and more of it follows, else nobody could be asked.
__foretell_gate() {
  __foretell_text=$__foretell_block$READLINE_LINE
  [[ $__foretell_text =~ ^[[:space:]]*(#[^$'\n']*)?$ ]] && exit 0
  if [[ $- == *H* && $READLINE_LINE == *[!^]* ]]; then
    [[ $READLINE_LINE == *!* || $READLINE_LINE == ^* ]] &&
      { __foretell_expanded=$(history -p -- "$READLINE_LINE" 2>/dev/null) || exit 0; } &&
      __foretell_text=$__foretell_block$__foretell_expanded
  fi
  __foretell_end=0
  __foretell_is_open && __foretell_end=5
  [[ -n $__foretell_released ]] && exit $__foretell_end
  [[ -n $__foretell_held && $__foretell_held == "$__foretell_block$READLINE_LINE" ]] && exit $__foretell_end
  # It is asked when it is whole.
  ((__foretell_end)) && exit 5
  # What only this shell knows.
  [[ $__foretell_text =~ \$\{?[?!_$]([^A-Za-z0-9_]|$) ]] && exit 0
  __foretell_define || exit 0
  __foretell_answer=$(FORETELL_ENTER_LINE=$__foretell_text FORETELL_ENTER_STATE=$__foretell_state \
    "$__foretell_client" bash "${COLUMNS:-80}" "${FORETELL_ENTER_WITHIN:-300}" 2>/dev/null </dev/null)
  __foretell_end=$?
  if ((__foretell_end == 1)); then
    [[ -z ${NO_COLOR-} ]] && __foretell_answer=${__foretell_answer/#DANGER/$'\e[1;31mDANGER\e[0m'}
    printf '%s\n' "$__foretell_answer" >&2
  elif ((__foretell_end == 126)); then
    # The line is longer than a program can be told, 128 KB.
    ((${#__foretell_text} + ${#__foretell_state} > 100000)) && exit 0
  fi
  exit $__foretell_end
}

# Whether the shell asks for more before it runs this.
__foretell_is_open() {
  [[ $__foretell_text == *[\'\"\`\(\{\\\|\&]* || $__foretell_text == *'<<'* ||
    $'\n'$__foretell_text$'\n' =~ [[:space:]\;](if|then|else|elif|for|while|until|do|case|select|function)[[:space:]] ]] || return 1
  [[ $__foretell_text =~ (^|[^\\])(\\\\)*\\$ ]] && return 0
  case $(LC_ALL=C BASH_ENV='' "$BASH" -O extglob -n <<<"$__foretell_text" 2>&1) in
    *'unexpected end of file'* | *'unexpected EOF'* | *'delimited by end-of-file'*) return 0 ;;
  esac
  return 1
}

# What the names in the line mean here, as far as it is not exported: commands that define it anew. Fails where it is too much.
__foretell_define() {
  set -f
  __foretell_state=
  if [[ $__foretell_text == *[*?[\(]* ]]; then
    for __foretell_name in dotglob extglob globstar nullglob failglob nocaseglob nocasematch; do
      [[ :$BASHOPTS: == *:$__foretell_name:* ]] && __foretell_state+="shopt -s $__foretell_name"$'\n'
    done
  fi
  for __foretell_name in noglob noclobber nounset pipefail posix; do
    [[ $__foretell_name != noglob && :$SHELLOPTS: == *:$__foretell_name:* ]] && __foretell_state+="set -o $__foretell_name"$'\n'
  done
  [[ $__foretell_was == *f* ]] && __foretell_state+=$'set -f\n'
  declare -A __foretell_known=([__foretell]=1)
  __foretell_todo=$__foretell_text
  __foretell_hasAlias=
  while [[ -n $__foretell_todo ]]; do
    IFS=$' \t\n;&|()<>"\'`$'
    __foretell_words=($__foretell_todo)
    IFS=$' \t\n'
    __foretell_names=(${__foretell_todo//[^A-Za-z0-9_]/ })
    __foretell_todo=
    for __foretell_name in "${__foretell_words[@]}"; do
      [[ -z $__foretell_name || -n ${__foretell_known["c$__foretell_name"]-} ]] && continue
      __foretell_known["c$__foretell_name"]=1
      if [[ -n ${BASH_ALIASES["$__foretell_name"]+x} ]]; then
        __foretell_hasAlias=1
        __foretell_state+="alias -- $__foretell_name=${BASH_ALIASES["$__foretell_name"]@Q}"$'\n'
        __foretell_todo+=" ${BASH_ALIASES["$__foretell_name"]}"
      fi
      if [[ $__foretell_name != __foretell* ]] && declare -F -- "$__foretell_name" >/dev/null 2>&1; then
        __foretell_body=$(declare -f -- "$__foretell_name")
        __foretell_state+=$__foretell_body$'\n'
        __foretell_todo+=" $__foretell_body"
      fi
    done
    for __foretell_name in "${__foretell_names[@]}"; do
      [[ $__foretell_name == [A-Za-z_]* && -z ${__foretell_known["v$__foretell_name"]-} ]] || continue
      __foretell_known["v$__foretell_name"]=1
      case $__foretell_name in
        _ | __foretell* | BASH* | COMP_* | READLINE_* | IFS | DIRSTACK | FUNCNAME | GROUPS | PIPESTATUS | RANDOM | SRANDOM | SECONDS | EPOCH* | LINENO | HIST* | PS[0-4] | PROMPT_COMMAND) continue ;;
      esac
      [[ -v $__foretell_name || -v $__foretell_name[@] ]] || continue
      __foretell_body=$(declare -p -- "$__foretell_name" 2>/dev/null)
      [[ $__foretell_body =~ ^declare\ -[a-zA-Z-]*[xr] ]] || __foretell_state+=$__foretell_body$'\n'
    done
    ((${#__foretell_state} < 60000)) || return 1
  done
  [[ -z $__foretell_hasAlias ]] || __foretell_state="shopt -s expand_aliases"$'\n'$__foretell_state
  return 0
}

# VS Code's shell integration takes what keys run for a command of the user's that has started.
__foretell_unseen() {
  [[ -z ${__vsc_in_command_execution-} ]] || __vsc_in_command_execution=0
}

# Of the gate's answers those that change something here.
__foretell_after() {
  __foretell_unseen
  case $1 in
    1) __foretell_hold ;;
    5)
      [[ -n $__foretell_held && $__foretell_held == "$__foretell_block$READLINE_LINE" ]] && __foretell_released=1
      __foretell_block+=$READLINE_LINE$'\n'
      __foretell_await_prompt
      ;;
    130) __foretell_skip ;;
    *)
      [[ -n $__foretell_told ]] && return
      __foretell_told=1
      printf '%s\n' 'Foretell cannot be asked; lines run as if it were not there. To see why: foretell status' >&2
      ;;
  esac
}

__foretell_hold() {
  __foretell_held=$__foretell_block$READLINE_LINE
  __foretell_await_prompt
  __foretell_skip
  [[ -n $__foretell_escapes ]] && return
  bind -m emacs '"\e": "\C-x\C-]f3"' 2>/dev/null
  __foretell_escapes=emacs
  # As it is listed where longer keys begin with Esc, too.
  if bind -m vi-insert -p 2>/dev/null | command grep -qE '^"(\\e|\\M-\\000|\\e\\000)": vi-movement-mode'; then
    bind -m vi-insert '"\e": "\C-x\C-]f3\C-x\C-]f4"'
    bind -m vi-command '"\e": "\C-x\C-]f3"'
    __foretell_escapes=all
  fi
}

# The key that follows accepts nothing, this time.
__foretell_skip() {
  local map
  for map in emacs vi-insert vi-command; do bind -m $map -x '"\C-x\C-]f2": __foretell_rearm'; done
}

__foretell_rearm() {
  local map
  __foretell_unseen
  for map in emacs vi-insert vi-command; do bind -m $map '"\C-x\C-]f2": accept-line'; done
}

# Esc: Enter asks anew.
__foretell_escape() {
  __foretell_unseen
  __foretell_back
}

__foretell_back() {
  __foretell_held=
  [[ -n $__foretell_escapes ]] && bind -m emacs -r '\e'
  if [[ $__foretell_escapes == all ]]; then
    bind -m vi-insert '"\e": vi-movement-mode'
    bind -m vi-command -r '\e'
  fi
  __foretell_escapes=
}

# What is held or begun ends with the next prompt, however that comes.
__foretell_await_prompt() {
  [[ -n $__foretell_awaits ]] && return
  __foretell_awaits=1
  __foretell_prompt=${PROMPT_COMMAND-}
  PROMPT_COMMAND=$'__foretell_at_prompt\n'$__foretell_prompt
}

__foretell_at_prompt() {
  local status=$? map
  [[ ${PROMPT_COMMAND-} == $'__foretell_at_prompt\n'"$__foretell_prompt" ]] && PROMPT_COMMAND=$__foretell_prompt
  __foretell_block= __foretell_released= __foretell_awaits=
  __foretell_back
  # Ctrl+C may have come between the two keys.
  for map in emacs vi-insert vi-command; do bind -m $map '"\C-x\C-]f2": accept-line'; done
  return $status
}

__foretell_begin() {
  local map keys key other
  if [[ -n ${BLE_VERSION-} ]]; then
    printf '%s\n' 'Foretell: ble.sh edits lines here, so Enter is left as it is.' >&2
    return
  fi
  for map in emacs vi-insert vi-command; do
    # Only keys that accept the line now: what else somebody has bound to Enter stays.
    keys=$(bind -m $map -p 2>/dev/null | command sed -n 's/^"\(.*\)": accept-line$/\1/p')
    bind -m $map -x '"\C-x\C-]f1": ( __foretell_was=$-; __foretell_gate ) || __foretell_after $?'
    bind -m $map '"\C-x\C-]f2": accept-line'
    bind -m $map -x '"\C-x\C-]f3": __foretell_escape'
    bind -m $map '"\C-x\C-]f4": vi-movement-mode'
    while IFS= read -r key; do
      [[ -n $key && $key != '\C-x\C-]f2' ]] && bind -m $map "\"$key\": \"\\C-x\\C-]f1\\C-x\\C-]f2\""
    done <<<"$keys"
    [[ $'\n'$keys$'\n' == *$'\n\\C-m\n'* ]] || other=$map
  done
  [[ -z ${other-} ]] || printf '%s\n' "Foretell: Enter is bound to something else ($other), which stays as it is." >&2
  # The service is there when the first line comes.
  ("$__foretell_client" wake >/dev/null 2>&1 </dev/null &)
}

if [[ $- == *i* && :$SHELLOPTS: =~ :(emacs|vi): && -z ${__foretell_block+x} ]]; then
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
    __foretell_block= __foretell_held= __foretell_released= __foretell_told= __foretell_awaits= __foretell_escapes= __foretell_prompt=
    __foretell_begin
  else
    printf '%s\n' 'Foretell: Holding lines at Enter needs bash 4.4 or newer.' >&2
  fi
fi
