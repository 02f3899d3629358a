import { isJsonObject, parseJsonObject } from '@parley/mcp/json'
import { anySignal } from '@parley/mcp/signals'

import { localServers } from './model-name.ts'

/** A model of a server on this machine, as `openModel` takes it. */
export interface LocalModel {
  /** `ollama/llama3`, for example. */
  readonly name: string
  /** The address of its API. */
  readonly baseUrl: string
  /** The program that serves it. */
  readonly provider: LocalProvider
}

/** The program that serves it, as far as its port shows. */
export type LocalProvider = (typeof localServers)[number]['provider']

/** Where to look, and for how long. */
export interface FindLocalModelsOptions {
  /** Ports other than the usual ones; `false` leaves one out. */
  readonly ports?: { readonly [provider in LocalProvider]?: number | false } | undefined
  /** For each server. @defaultValue 500 */
  readonly timeoutMs?: number | undefined
  /** Stops looking. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks the usual ports of Ollama, LM Studio, llama.cpp and vLLM on loopback for their models, all at the same time.
 * Never throws: a server that is not there, hangs or answers something else has none.
 */
export async function findLocalModels(
  options: FindLocalModelsOptions = {},
): Promise<readonly LocalModel[]> {
  const found = await Promise.all(
    localServers.map(async ({ provider, port: usual }): Promise<readonly LocalModel[]> => {
      const port = options.ports?.[provider] ?? usual
      if (port === false) return []
      const baseUrl = `http://127.0.0.1:${port}/v1`
      const names = await listModels(baseUrl, options).catch(() => []) // nothing listens there, or no such server
      return names.map((name) => ({ name: `${provider}/${name}`, baseUrl, provider }))
    }),
  )
  return found.flat()
}

const maxBytes = 1024 * 1024
const maxModels = 200

async function listModels(
  baseUrl: string,
  { timeoutMs = 500, signal }: FindLocalModelsOptions,
): Promise<readonly string[]> {
  const late = AbortSignal.timeout(timeoutMs)
  const response = await fetch(`${baseUrl}/models`, {
    // Not to another machine, whatever is on that port.
    redirect: 'error',
    signal: anySignal(late, signal),
  })
  const text = response.ok ? await readText(response) : ''
  const models = parseJsonObject(text)?.['data']
  if (!Array.isArray(models)) return []
  const ids = models.slice(0, maxModels).map((model) => (isJsonObject(model) ? model['id'] : ''))
  return ids.filter((id) => typeof id === 'string').filter(isName)
}

/** The name for people, without characters that a terminal or a page would not show. */
function isName(id: string): boolean {
  return /^[\w][\w.:/@+ -]{0,199}$/.test(id)
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
