# Foretell at Enter, for fish 3.4 and newer: what is typed is predicted before it runs (docs/enter.md).

function __foretell_enter --description 'Ask Foretell, and run the line unless it is held'
    # Enter chooses in a list; a line that is not whole goes on.
    # What is typed for `read` is none of a shell's lines.
    if commandline --paging-mode; or not commandline --is-valid; or test (status current-command) != fish
        __foretell_run
        return
    end
    set -l line (commandline -b | string collect --no-trim-newlines --allow-empty)
    if test "$__foretell_held" = "$line"; and test -n "$line"
        __foretell_back
        __foretell_run
        return
    end
    # What only this shell knows is not asked.
    if not string match -qr '\S' -- "$line"; or string match -qr '\$(status|pipestatus|last_pid|fish_pid)\b' -- "$line"
        __foretell_run
        return
    end
    set -lx FORETELL_ENTER_STATE (__foretell_define "$line" | string collect --allow-empty)
    set -lx FORETELL_ENTER_LINE "$line"
    set -l within 300
    set -q FORETELL_ENTER_WITHIN; and set within $FORETELL_ENTER_WITHIN
    set -l answer ($__foretell_client fish $COLUMNS $within 2>/dev/null </dev/null)
    set -l ended $status
    switch $ended
        case 0
            __foretell_run
        case 1
            set -g __foretell_held "$line"
            __foretell_bind_escape
            set -q NO_COLOR; or set answer[1] (string replace -r '^DANGER' (set_color --bold red)DANGER(set_color normal) -- $answer[1])
            printf '\n'
            printf '%s\n' $answer
            commandline -f repaint
        case 130
        case '*'
            # A line that is longer than a program can be told, 128 KB, is none of the service's faults.
            if not set -q __foretell_told; and test (string length -- "$line") -lt 100000
                set -g __foretell_told 1
                printf '\n%s\n' 'Foretell cannot be asked; lines run as if it were not there. To see why: foretell status'
                commandline -f repaint
            end
            __foretell_run
    end
end

# Enter in vi's normal mode is followed by insert mode, as it is without us.
function __foretell_run
    if test "$fish_bind_mode" = default; and string match -q '*-m insert*' -- (bind --preset \r 2>/dev/null)
        set fish_bind_mode insert
        commandline -f repaint-mode
    end
    commandline -f execute
end

# What the names in the line mean here, as far as it is not exported and no start file says it: commands that define it anew.
function __foretell_define
    set -l __foretell_known
    for __foretell_name in (string match -rag '([A-Za-z_][\w.-]*)' -- $argv[1])
        contains -- $__foretell_name $__foretell_known; and continue
        set -a __foretell_known $__foretell_name
        string match -q '__foretell*' -- $__foretell_name; and continue
        if functions -q -- $__foretell_name; and contains -- (functions --details -- $__foretell_name) stdin - n/a
            functions --no-details -- $__foretell_name
        end
        string match -qr '^\w+$' -- $__foretell_name; or continue
        if set -qg $__foretell_name; and not set -qgx $__foretell_name
            contains -- $__foretell_name argv status pipestatus history PWD COLUMNS LINES version hostname; and continue
            echo set -g $__foretell_name (string escape -- $$__foretell_name)
        end
    end
end

function __foretell_bind_escape
    set -q __foretell_escapes; and return
    # A binding of one's own stays.
    bind --user \e >/dev/null 2>&1; and return
    set -g __foretell_escapes
    for mode in default insert
        bind -M $mode \e __foretell_escape
        set -a __foretell_escapes $mode
    end
end

# Esc: Enter asks anew.
function __foretell_escape
    __foretell_back
    if test "$fish_key_bindings" = fish_vi_key_bindings; and test "$fish_bind_mode" = insert
        set fish_bind_mode default
        commandline -f backward-char repaint-mode
    else
        commandline -f cancel
    end
end

function __foretell_back --on-event fish_prompt --on-event fish_cancel
    set -g __foretell_held
    for mode in $__foretell_escapes
        bind -M $mode --erase \e
    end
    set -e __foretell_escapes
end

if status is-interactive; and not set -q __foretell_begun
    set -g __foretell_begun 1
    set -g __foretell_held
    if bind --user \r >/dev/null 2>&1; or bind --user enter >/dev/null 2>&1
        echo 'Foretell: Enter is bound to something else, which stays as it is.' >&2
    else
        for mode in default insert
            for key in \r \n
                bind -M $mode $key __foretell_enter
            end
        end
        # Newer ones know the key by its name.
        if string match -qr '^([4-9]|\d\d)' -- $version
            for mode in default insert
                bind -M $mode enter __foretell_enter
            end
        end
    end
    # The service is there when the first line comes.
    $__foretell_client wake >/dev/null 2>&1 </dev/null &
    disown 2>/dev/null
end
