/** True for what a walk that goes on from a path has behind it, and need not look into again. */
export function isBehind(relative: string, from: string): boolean {
  return compareInWalk(relative, from) < 0 && !from.startsWith(`${relative}/`)
}

/** Which of two paths a walk comes to first: negative if the first. A folder comes before what is in it. */
function compareInWalk(a: string, b: string): number {
  const [names, others] = [a.split('/'), b.split('/')]
  for (const [at, name] of names.entries()) {
    const against = others[at]
    if (against === undefined) return 1
    if (name !== against) return name < against ? -1 : 1
  }
  return names.length - others.length
}
