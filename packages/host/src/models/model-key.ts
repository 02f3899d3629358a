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
  /** Asks a person, once, and again only if the provider refuses the key. The answer is kept in `secrets`. */
  readonly askKey?:
    | ((variable: string, about: KeyQuestion) => Promise<string | undefined>)
    | undefined
}

/** The prompt for a user who is asked for a key. */
export interface KeyQuestion {
  /** The model, as it was named. */
  readonly model: string
  /** The host that the key is sent to. */
  readonly host: string
  /** The provider refused the key that was used before. */
  readonly isRejected: boolean
  /** Aborted when the key is no longer needed. */
  readonly signal: AbortSignal
}

/** Finds the key of one model. */
export interface KeyFinder {
  /** Returns the key. Looks each time, and asks the user once at most. Rejects if the provider needs a key and none was found. */
  find(signal: AbortSignal): Promise<string | undefined>
  /** Returns another key than the rejected one; undefined if there is no other. */
  replace(refused: string | undefined, signal: AbortSignal): Promise<string | undefined>
}

export function createKeyFinder(
  name: string,
  { keyVariable, needsKey, baseUrl }: ModelAddress,
  sources: KeySources,
): KeyFinder {
  const { host } = new URL(baseUrl)
  /** A key that the user typed for one host is not sent to another. */
  const storedName = needsKey || keyVariable === undefined ? keyVariable : `${keyVariable} ${host}`
  let lookup: Promise<string | undefined> | undefined
  let typed: string | undefined

  function ask(variable: string, isRejected: boolean, signal: AbortSignal) {
    lookup ??= (async () => {
      const about = { model: name, host, isRejected, signal }
      const answer = (await sources.askKey?.(variable, about))?.trim()
      if (!answer) return undefined
      typed = answer
      await sources.secrets?.set?.(storedName ?? variable, answer)
      return answer
    })().finally(() => (lookup = undefined))
    return lookup
  }

  async function known(variable: string): Promise<string | undefined> {
    if (typed !== undefined) return typed
    const { secrets, env } = sources
    const own = storedName === undefined ? undefined : await secrets?.get(storedName)
    return own || (await secrets?.get(variable)) || env[variable] || undefined
  }

  return {
    async find(signal) {
      if (sources.key) return sources.key
      if (keyVariable === undefined) return undefined
      const found = await known(keyVariable)
      if (found !== undefined || !needsKey) return found
      const answer = await ask(keyVariable, false, signal)
      if (answer !== undefined) return answer
      throw new ModelError('unauthorized', `${name} needs a key: set ${keyVariable}, or pass one`)
    },
    async replace(rejectedKey, signal) {
      if (sources.key || keyVariable === undefined || sources.askKey === undefined) return undefined
      const found = await known(keyVariable)
      if (found !== undefined && found !== rejectedKey) return found // another request has asked
      return ask(keyVariable, rejectedKey !== undefined, signal)
    },
  }
}
