import { countHidden, findInjection } from '@parley/foundation/text-safety'
import { isJsonObject } from '@parley/mcp/json'

import { excerpt, member, type JsonObject } from '../json.ts'
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
  sendList: (method: string) => Promise<Exchange>,
): AsyncGenerator<Step> {
  const promised = lists.filter(([name]) => member(capabilities, name) !== undefined)
  const found: string[] = []
  for (const [capability, method, key] of promised) {
    const { items, step } = classify(await sendList(method), capability, method, key)
    if (typeof step === 'string') found.push(step)
    else yield step
    yield* examineDefinitions(key, items)
  }
  if (found.length > 0) yield good('lists', found.join(', '))
}

function classify(
  { answer, ended }: Exchange,
  capability: string,
  method: string,
  key: string,
): { readonly step: Step | string; readonly items: readonly unknown[] } {
  if (answer === undefined) {
    const seen = ended === 'closed' ? 'the connection ended' : 'it is not answered'
    return { step: bad(method, seen, `Answer it, or do not declare ${capability}.`), items: [] }
  }
  const error = answer['error']
  if (isJsonObject(error)) return { step: rejected(error, capability, method, key), items: [] }
  const items = member(answer['result'], key)
  if (!Array.isArray(items)) {
    const seen = `its ${key} is ${excerpt(items, 60)}`
    return { step: bad(method, seen, `Answer with { "${key}": [ … ] }.`), items: [] }
  }
  const more = member(answer['result'], 'nextCursor') === undefined ? '' : ' and more'
  return { step: `${items.length}${more} in ${method}`, items }
}

/** What hosts and gateways warn people of, or hold back. */
function* examineDefinitions(key: string, items: readonly unknown[]): Generator<Step> {
  for (const item of items.filter(isJsonObject)) {
    const whose = `${excerpt(item['name'], 80)} in ${key}`
    const orders = findInjection(item)
    if (orders.length > 0) {
      const fix =
        'Describe what it does. Hosts warn people of descriptions that give a model orders.'
      yield warning('definitions', `${whose} gives the model orders: ${orders.join(', ')}`, fix)
    }
    const hidden = countHidden(item)
    if (hidden > 0) {
      const fix = 'Take them out: hosts remove them and warn people.'
      yield warning('definitions', `${whose} has ${hidden} characters that do not show`, fix)
    }
  }
}

function rejected(error: JsonObject, capability: string, method: string, key: string): Step {
  const seen = `it fails: ${excerpt(error['code'], 20)} ${excerpt(error['message'], 200)}`
  const isMissing = error['code'] === -32601
  // Many servers have no templates and know no such list.
  if (isMissing && method === 'resources/templates/list') {
    return warning(method, seen, `Answer with { "${key}": [] }: some clients ask for it.`)
  }
  return bad(method, seen, `Answer it, or do not declare ${capability}.`)
}
