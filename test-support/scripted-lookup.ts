/** A resolver that knows these names only; each answer is used once, the last one for ever. */
export function scriptedLookup(names: Record<string, readonly (readonly string[])[]>) {
  const asked: string[] = []
  return {
    asked,
    lookup(
      hostname: string,
      _: object,
      done: (error: Error | null, addresses: { address: string; family: number }[]) => void,
    ) {
      const answers = names[hostname]
      const turn = asked.filter((name) => name === hostname).length
      asked.push(hostname)
      const addresses = answers?.[Math.min(turn, answers.length - 1)]
      if (addresses === undefined) {
        done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
        return
      }
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      done(null, found)
    },
  }
}
