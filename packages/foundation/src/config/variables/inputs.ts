import { isJsonObject } from '@parley/mcp/json'

import type { InputDefinition, RawObject } from '../entries/config-entry.ts'
import type { ConfigNode } from '../files/config-document.ts'

/** Tells what is wrong with a question of a file. */
export type ReportInput = (node: ConfigNode, key: string, message: string, fix: string) => void

/** The questions of a file by id. Those that would run a command of the host are refused. */
export function readInputs(
  list: ConfigNode | undefined,
  report: ReportInput,
): ReadonlyMap<string, InputDefinition> {
  const found = new Map<string, InputDefinition>()
  for (const [index, node] of (list?.items ?? []).entries()) {
    const key = `inputs.${index}`
    const input = isJsonObject(node.value) ? readInput(node.value) : 'must be an object'
    if (typeof input === 'string') report(node, key, input, fixInput)
    else if (found.has(input.id)) {
      report(
        node,
        `${key}.id`,
        `is defined twice: ${input.id}`,
        'Give each question an id of its own.',
      )
    } else found.set(input.id, input)
  }
  return found
}

const fixInput =
  'Write { "type": "promptString", "id": "api-key", "description": "…", "password": true }.'

function readInput(raw: RawObject): InputDefinition | string {
  const { id, type } = raw
  if (typeof id !== 'string' || id === '') return 'has no id'
  const description = textOf(raw['description'])
  const preset = textOf(raw['default'])
  switch (type) {
    case 'promptString':
      return { type, id, description, default: preset, isPassword: raw['password'] === true }
    case 'pickString': {
      const options = Array.isArray(raw['options']) ? raw['options'].flatMap(optionOf) : []
      if (options.length === 0) return 'has no options to pick from'
      return { type, id, description, default: preset, options }
    }
    case 'command':
      return `${id} asks for an editor command to be run, which is not supported`
    default:
      return `has an unknown type: ${JSON.stringify(type)}`
  }
}

function optionOf(option: unknown): readonly string[] {
  if (typeof option === 'string') return [option]
  return isJsonObject(option) && typeof option['value'] === 'string' ? [option['value']] : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The variable of the environment that answers a question: `MCP_INPUT_API_KEY` for `api-key`. */
export function inputVariable(id: string): string {
  return `MCP_INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`
}
