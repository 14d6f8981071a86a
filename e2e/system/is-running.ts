/** Returns whether a process exists. */
export function isRunning(pid: number): boolean {
  // kill(0) would ask about our own process group.
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
