import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { Seals } from '../calls/caller.ts'
import type { Definition } from '../definition.ts'

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
  const seals = bySecret.get(name) ?? { server: definition.info.name, secrets }
  bySecret.set(name, seals)
  return seals
}

/** Whoever has a state can try secrets on it for as long as they like. */
const fewestCharacters = 16

function checkSecrets(secrets: readonly string[]): void {
  if (secrets.length > 0 && secrets.every(({ length }) => length >= fewestCharacters)) return
  const why = `secret: expected at least ${fewestCharacters} characters, made by chance`
  throw new McpError('invalid_definition', why, { details: { feature: 'secret' } })
}
