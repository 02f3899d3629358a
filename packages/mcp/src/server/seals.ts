import { McpError } from '../rpc/mcp-error.ts'
import type { KeyRing } from './asking/key-ring.ts'
import type { Seals } from './caller.ts'
import type { Definition } from './definition.ts'
import { createMemoryOnceSet } from './once-set.ts'
import { loadKeyRing } from './parts.ts'

const known = new WeakMap<Definition, Map<string, Seals>>()

/** Every service of a definition opens what another has sealed, in this process or, with a secret, in all. */
export function sealsFor(
  definition: Definition,
  { secret }: { readonly secret?: string | readonly string[] | undefined },
): Seals {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets !== undefined) checkSecrets(secrets)
  const bySecret = known.get(definition) ?? new Map<string, Seals>()
  known.set(definition, bySecret)
  const name = JSON.stringify(secrets)
  const seals = bySecret.get(name) ?? {
    keys: keysFor(definition.info.name, secrets),
    used: createMemoryOnceSet(),
  }
  bySecret.set(name, seals)
  return seals
}

/** Another server may have been given the same secret, and tools of the same name. Made when there is something to seal. */
function keysFor(name: string, secrets: readonly string[] | undefined): KeyRing {
  const server = JSON.stringify(name)
  let ring: Promise<KeyRing> | undefined
  const load = (): Promise<KeyRing> =>
    (ring ??= loadKeyRing().then(({ createKeyRing }) => createKeyRing(secrets)))
  return {
    seal: async (text, bound) => (await load()).seal(text, `${server} ${bound}`),
    open: async (sealed, bound) => (await load()).open(sealed, `${server} ${bound}`),
  }
}

/** Whoever has a state can try secrets on it for as long as they like. */
const fewestCharacters = 16

function checkSecrets(secrets: readonly string[]): void {
  if (secrets.length > 0 && secrets.every(({ length }) => length >= fewestCharacters)) return
  const why = `secret: expected at least ${fewestCharacters} characters, made by chance`
  throw new McpError('invalid_definition', why, { details: { feature: 'secret' } })
}
