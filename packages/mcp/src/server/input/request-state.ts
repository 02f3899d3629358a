import type { Seals } from '../calls/caller.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import { createSingleUseSet, type SingleUseSet } from './single-use.ts'

/** Keys, and a memory of what was used. */
export interface Sealing {
  readonly keys: KeyRing
  readonly used: SingleUseSet
}

const known = new WeakMap<Seals, Sealing>()

/** Made when there is first something to seal or to open. */
export function sealingOf(seals: Seals): Sealing {
  const sealing = known.get(seals) ?? { keys: keysFor(seals), used: createSingleUseSet() }
  known.set(seals, sealing)
  return sealing
}

/** Another server may have been given the same secret, and tools of the same name. */
function keysFor({ server, secrets }: Seals): KeyRing {
  const { seal, open } = createKeyRing(secrets)
  const name = JSON.stringify(server)
  return {
    seal: (text, bound) => seal(text, `${name} ${bound}`),
    open: (sealed, bound) => open(sealed, `${name} ${bound}`),
  }
}
