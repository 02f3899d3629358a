import { openSecretStore } from '@parley/foundation/secrets'
import { ModelError, openModel, scriptedModel, type Model } from '@parley/host/models'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'

/** The flags that say which model, and where. */
export interface ModelFlags {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  readonly api?: string | undefined
}

/** The model that the flags name. Nothing is sent yet. */
export function modelOf({ model, baseUrl, api }: ModelFlags, io: Pick<Io, 'env'>): Model {
  if (model === undefined) {
    throw new CliError('error', '--model is missing', {
      hint: 'For example --model openai/gpt-5, --model llama3 --base-url http://127.0.0.1:11434/v1, or --model scripted.',
    })
  }
  if (model === 'scripted' && baseUrl === undefined) return scriptedModel()
  if (api !== undefined && api !== 'chat' && api !== 'responses' && api !== 'messages') {
    throw new CliError('error', `--api ${api} is unknown: use chat, responses or messages`)
  }
  try {
    const secrets = {
      get: async (name: string) => (await openSecretStore({ env: io.env })).get(name),
    }
    return openModel({ name: model, baseUrl, api, env: io.env, secrets })
  } catch (error) {
    if (error instanceof ModelError) throw new CliError('error', error.message, { cause: error })
    throw error
  }
}
