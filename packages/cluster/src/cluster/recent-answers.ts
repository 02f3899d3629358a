/** Asks about a name at most once in `keepMs`: whoever asks meanwhile gets the same answer. */
export function keepAnswers<Answer>(
  ask: (name: string) => Promise<Answer>,
  keepMs: number,
): (name: string) => Promise<Answer> {
  const answers = new Map<string, { readonly answer: Promise<Answer>; readonly askedAt: number }>() // oldest first

  function forgetOld(now: number): void {
    for (const [name, { askedAt }] of answers) {
      if (now - askedAt < keepMs) return
      answers.delete(name)
    }
  }

  return (name) => {
    const now = performance.now()
    forgetOld(now)
    const known = answers.get(name)
    if (known) return known.answer
    const answer = ask(name)
    answers.set(name, { answer, askedAt: now })
    answer.catch(() => answers.delete(name)) // the next one asks again
    return answer
  }
}
