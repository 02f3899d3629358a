import type { Seals } from './caller.ts'
import type { Definition } from './definition.ts'
import { createKeyRing } from './key-ring.ts'
import { createMemoryOnceSet } from './once-set.ts'

const unnamed = new WeakMap<Definition, Seals>()

/** Every service of a definition opens what another has sealed, in this process or, with a secret, in all. */
export function sealsFor(
  definition: Definition,
  { secret }: { readonly secret?: string | readonly string[] | undefined },
): Seals {
  if (secret !== undefined) {
    const keys = createKeyRing(typeof secret === 'string' ? [secret] : secret)
    return { keys, used: createMemoryOnceSet() }
  }
  const known = unnamed.get(definition) ?? { keys: createKeyRing(), used: createMemoryOnceSet() }
  unnamed.set(definition, known)
  return known
}
