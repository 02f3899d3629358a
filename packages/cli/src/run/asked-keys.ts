import type { OpenedChat } from '@parley/chat'
import { openSecretStore, type SecretStore } from '@parley/foundation/secrets'

import type { Io } from '../io.ts'
import type { ModelKeys } from './model-of.ts'

/** Keys of models where somebody can be asked for them. */
export interface AskedKeys extends ModelKeys {
  /** Whether one is kept. */
  has(variable: string): Promise<boolean>
}

/** Keys are in the secret store; one that is missing is asked for once, and kept there. */
export function askedKeys({ env }: Pick<Io, 'env'>, readKey: OpenedChat['askKey']): AskedKeys {
  let opened: Promise<SecretStore> | undefined
  /** Opened when it is needed: a keychain may ask for a password. */
  const store = () => (opened ??= openSecretStore({ env }))
  return {
    secrets: {
      get: async (name) => (await store()).get(name),
      set: async (name, value) => (await store()).set(name, value),
    },
    async askKey(variable, { model, host, isRejected, signal }) {
      const isStored = (await store()).kind !== 'memory'
      return readKey({ variable, model, host, isRejected, isStored }, signal)
    },
    has: async (variable) => (await (await store()).get(variable)) !== undefined,
  }
}
