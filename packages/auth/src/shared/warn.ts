const warned = new Set<string>()

/** Tells the person who runs the program something once: through Node's warnings, or the console elsewhere. */
export function warnOnce(text: string): void {
  if (warned.has(text)) return
  warned.add(text)
  const { process } = globalThis as {
    process?: { emitWarning?: (text: string, type: string) => void }
  } // may be missing: not only Node runs this
  if (process?.emitWarning) process.emitWarning(text, 'AuthWarning')
  else console.warn(text)
}
