import { openSecretStore } from '@parley/foundation/secrets'
import {
  ModelError,
  openModel,
  createScriptedModel,
  type Model,
  type OpenModelOptions,
} from '@parley/host/models'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'

/** The flags that say which model, and where. */
export interface ModelFlags {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  readonly api?: string | undefined
  /** It takes images, whatever is known of its name. */
  readonly images?: boolean | undefined
}

/** Where keys are kept, and who is asked for one. */
export type ModelKeys = Pick<OpenModelOptions, 'secrets' | 'askKey'>

/** The model that the flags name. Nothing is sent yet. */
export function modelOf(
  { model, baseUrl, api, images }: ModelFlags,
  io: Pick<Io, 'env'>,
  keys: ModelKeys = keptKeys(io),
): Model {
  if (model === undefined) {
    throw new CliError('error', '--model is missing', {
      hint: 'For example --model openai/gpt-5, --model llama3 --base-url http://127.0.0.1:11434/v1, or --model scripted.',
    })
  }
  if (model === 'scripted' && baseUrl === undefined) return createScriptedModel()
  if (api !== undefined && api !== 'chat' && api !== 'responses' && api !== 'messages') {
    throw new CliError('error', `--api ${api} is unknown: use chat, responses or messages`)
  }
  try {
    const accepts = images === true ? { images } : undefined
    return openModel({ name: model, baseUrl, api, accepts, env: io.env, ...keys })
  } catch (error) {
    if (error instanceof ModelError) throw new CliError('error', error.message, { cause: error })
    throw error
  }
}

/** Those of the secret store; nobody is asked. */
function keptKeys({ env }: Pick<Io, 'env'>): ModelKeys {
  return { secrets: { get: async (name) => (await openSecretStore({ env })).get(name) } }
}
