import { isJsonObject, excerpt, member, type JsonObject } from '../json.ts'
import type { Exchange } from '../probe/exchange.ts'
import { bad, good, warning, type Step } from './step.ts'

/** What each capability promises, and the member that has the items. */
const lists = [
  ['tools', 'tools/list', 'tools'],
  ['resources', 'resources/list', 'resources'],
  ['resources', 'resources/templates/list', 'resourceTemplates'],
  ['prompts', 'prompts/list', 'prompts'],
] as const

/** Whether the server gives the lists that its capabilities promise; only their first pages are asked for. */
export async function* examineLists(
  capabilities: unknown,
  ask: (method: string) => Promise<Exchange>,
): AsyncGenerator<Step> {
  const promised = lists.filter(([name]) => member(capabilities, name) !== undefined)
  const found: string[] = []
  for (const [capability, method, key] of promised) {
    const step = judge(await ask(method), capability, method, key)
    if (typeof step === 'string') found.push(step)
    else yield step
  }
  if (found.length > 0) yield good('lists', found.join(', '))
}

function judge(
  { answer, ended }: Exchange,
  capability: string,
  method: string,
  key: string,
): Step | string {
  if (answer === undefined) {
    const seen = ended === 'closed' ? 'the connection ended' : 'it is not answered'
    return bad(method, seen, `Answer it, or do not declare ${capability}.`)
  }
  const error = answer['error']
  if (isJsonObject(error)) return refused(error, capability, method, key)
  const items = member(answer['result'], key)
  if (!Array.isArray(items)) {
    return bad(method, `its ${key} is ${excerpt(items, 60)}`, `Answer with { "${key}": [ … ] }.`)
  }
  const more = member(answer['result'], 'nextCursor') === undefined ? '' : ' and more'
  return `${items.length}${more} in ${method}`
}

function refused(error: JsonObject, capability: string, method: string, key: string): Step {
  const seen = `it fails: ${excerpt(error['code'], 20)} ${excerpt(error['message'], 200)}`
  const isMissing = error['code'] === -32601
  // Many servers have no templates and know no such list.
  if (isMissing && method === 'resources/templates/list') {
    return warning(method, seen, `Answer with { "${key}": [] }: some clients ask for it.`)
  }
  return bad(method, seen, `Answer it, or do not declare ${capability}.`)
}
