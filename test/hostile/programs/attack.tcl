# attack.tcl NAME: what a program in Tcl could try. Every target is in the environment, and is a canary.
proc put {path how} { set file [open $path $how]; puts $file changed; close $file }
set failed [catch {
  switch [lindex $argv 0] {
    overwrite { put $env(VICTIM) w }
    append { put $env(VICTIM) a }
    unlink { file delete $env(VICTIM) }
    rename { file rename -force $env(VICTIM) $env(SECOND_VICTIM) }
    mode { file attributes $env(VICTIM) -permissions 0600 }
    make { put $env(OUTSIDE)/new w }
    folder { file mkdir $env(OUTSIDE)/a/b }
    copied { file copy -force $env(VIEW)/a $env(VICTIM) }
    home { put $env(HOME)/.bashrc a }
    workspace { file delete $env(VIEW)/precious }
    tcp { close [socket 127.0.0.1 $env(TCP_PORT)] }
    child { exec sh -c {echo changed > "$VICTIM"} }
    piped { set to [open {|sh -c {cat > "$VICTIM"}} w]; puts $to x; close $to }
  }
} text]
puts "$failed $text"
