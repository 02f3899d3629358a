import type { JsonObject } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'
import { isJsonObject } from '@parley/mcp/json'

/** What an app asks of its host, checked. */
export type AppRequest =
  | { readonly kind: 'call'; readonly name: string; readonly args: JsonObject }
  | { readonly kind: 'read'; readonly uri: string }
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'context'; readonly context: AppContext }

/** What an app wants the model to know. */
export interface AppContext {
  readonly content?: readonly JsonObject[] | undefined
  readonly structuredContent?: JsonObject | undefined
}

/** Why a request is not answered, in the words of JSON-RPC. */
export class AppRejection extends Error {
  override readonly name = 'AppRefusal'
  readonly code: number

  constructor(message: string, code = -32000) {
    super(message)
    this.code = code
  }
}

const maxName = 200
const maxAddress = 4096
const maxText = 100_000

/** Reads a request; undefined for a method that no app may use here. Throws an `AppRejection` for params that are wrong. */
export function readAppRequest(method: string, params: JsonObject): AppRequest | undefined {
  switch (method) {
    case 'tools/call': {
      const name = textIn(params, 'name', maxName)
      const { arguments: args = {} } = params
      if (!isJsonObject(args)) throw invalid('arguments is not an object')
      return { kind: 'call', name, args }
    }
    case 'resources/read':
      return { kind: 'read', uri: textIn(params, 'uri', maxAddress) }
    case 'ui/open-link':
      return { kind: 'link', url: linkIn(params) }
    case 'ui/message':
      return { kind: 'message', text: messageIn(params) }
    case 'ui/update-model-context':
      return { kind: 'context', context: contextIn(params) }
    default:
      return undefined
  }
}

/** Only addresses of the web, without a name and password in them. */
function linkIn(params: JsonObject): string {
  const text = textIn(params, 'url', maxAddress)
  const url = parseUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new AppRejection('Invalid URL: only http and https addresses can be opened')
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppRejection('Invalid URL: it has a user name or password')
  }
  return url.href
}

/** The specification has one block, its package a list of them. Only text is taken. */
function messageIn({ role, content }: JsonObject): string {
  if (role !== 'user') throw new AppRejection('Invalid message format: role is not user')
  const blocks = Array.isArray(content) ? content : [content]
  const texts = blocks.map((block) =>
    isJsonObject(block) && block['type'] === 'text' ? block['text'] : undefined,
  )
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string')) {
    throw new AppRejection('Invalid message format: only text can be sent')
  }
  const text = texts.join('\n')
  if (text.length > maxText)
    throw new AppRejection(`the message is longer than ${maxText} characters`)
  return text
}

function contextIn({ content, structuredContent }: JsonObject): AppContext {
  const blocks = content ?? undefined
  const value = structuredContent ?? undefined
  if (blocks !== undefined && !(Array.isArray(blocks) && blocks.every(isJsonObject))) {
    throw new AppRejection('Invalid content format')
  }
  if (value !== undefined && !isJsonObject(value)) throw new AppRejection('Invalid content format')
  if (JSON.stringify([blocks, value]).length > maxText) {
    throw new AppRejection(`the context is longer than ${maxText} characters`)
  }
  return {
    ...(blocks !== undefined && { content: blocks }),
    ...(value !== undefined && { structuredContent: value }),
  }
}

function textIn(params: JsonObject, member: string, most: number): string {
  const text = params[member]
  if (typeof text !== 'string' || text === '') throw invalid(`${member} is not text`)
  if (text.length > most) throw invalid(`${member} is longer than ${most} characters`)
  return text
}

function invalid(why: string): AppRejection {
  return new AppRejection(`Invalid params: ${why}`, -32602)
}
