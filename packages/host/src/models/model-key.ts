import { ModelError } from './model-error.ts'
import type { ModelAddress } from './model-name.ts'

/** Where the key of a model comes from, in this order: given, kept, environment, asked for. */
export interface KeySources {
  /** The key itself. */
  readonly key?: string | undefined
  /** Such as the store of `openSecretStore` of `@parley/foundation/secrets`. The name is that of the variable. */
  readonly secrets?:
    | {
        get(name: string): Promise<string | undefined>
        set?(name: string, value: string): Promise<void>
      }
    | undefined
  /** Environment variables, such as `OPENAI_API_KEY`. */
  readonly env: { readonly [name: string]: string | undefined }
  /** Asks a person, once: the answer is kept in `secrets`. */
  readonly askKey?: ((variable: string) => Promise<string | undefined>) | undefined
}

/** Finds the key each time it is needed, and asks for it once at most. */
export function createKeyFinder(
  name: string,
  { keyVariable, needsKey }: ModelAddress,
  sources: KeySources,
): () => Promise<string | undefined> {
  let asked: Promise<string | undefined> | undefined

  async function ask(variable: string): Promise<string | undefined> {
    const answer = (await sources.askKey?.(variable))?.trim()
    if (!answer) return undefined
    await sources.secrets?.set?.(variable, answer)
    return answer
  }

  return async () => {
    if (sources.key) return sources.key
    if (keyVariable === undefined) return undefined
    const found = (await sources.secrets?.get(keyVariable)) || sources.env[keyVariable]
    if (found || !needsKey) return found || undefined
    asked ??= ask(keyVariable)
    const answer = await asked
    if (answer !== undefined) return answer
    asked = undefined
    throw new ModelError('unauthorized', `${name} needs a key: set ${keyVariable}, or pass one`)
  }
}
