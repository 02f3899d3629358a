import { mixedScripts } from '@parley/foundation/address'
import {
  countHidden,
  findInjection,
  showHidden,
  skeletonOf,
  type UsedName,
} from '@parley/foundation/text-safety'

import type { ProposedCall } from './consent.ts'
import { definitionOf } from './memory/definition.ts'

/** Returns warnings to show before a call is allowed: look-alike names, hidden characters, and effects that the server declares. */
export function callWarnings(call: ProposedCall, names: Iterable<UsedName>): readonly string[] {
  const { server, tool } = call
  const definition = definitionOf(tool)
  return [
    ...nameWarnings('server', server),
    ...nameWarnings('tool', tool.name),
    ...lookAlikeWarnings({ server, tool: tool.name }, names),
    ...orderWarnings(findInjection(definition)),
    ...hiddenWarnings('the definition of the tool', countHidden(definition)),
    ...hiddenWarnings('the arguments', countHidden(call.arguments)),
    ...claimWarnings(call),
  ]
}

function nameWarnings(what: string, name: string): readonly string[] {
  const shown = showHidden(name)
  const scripts = mixedScripts(name.slice(0, 256))
  return [
    ...(shown === name ? [] : [`The name of the ${what} has hidden characters: "${shown}".`]),
    ...(scripts.length === 0
      ? []
      : [`The name of the ${what}, "${shown}", mixes letters of ${scripts.join(' and ')}.`]),
  ]
}

function lookAlikeWarnings(own: UsedName, names: Iterable<UsedName>): readonly string[] {
  const skeletons = { server: skeletonOf(own.server), tool: skeletonOf(own.tool) }
  const warnings = new Set<string>()
  for (const other of names) {
    if (warnings.size >= 5) break
    if (other.server !== own.server && skeletonOf(other.server) === skeletons.server) {
      const both = `"${showHidden(own.server)}" and "${showHidden(other.server)}"`
      warnings.add(`The servers ${both} have names that look alike.`)
    }
    if (other.tool !== own.tool && skeletonOf(other.tool) === skeletons.tool) {
      const like = `"${showHidden(other.tool)}" of "${showHidden(other.server)}"`
      warnings.add(`The name of the tool, "${showHidden(own.tool)}", looks like ${like}.`)
    }
  }
  return [...warnings]
}

/** A description is for the model to know the tool by, not to tell it what to do. */
function orderWarnings(found: readonly string[]): readonly string[] {
  if (found.length === 0) return []
  return [`The definition of the tool gives the model orders: ${found.join(', ')}.`]
}

function hiddenWarnings(where: string, count: number): readonly string[] {
  return count === 0 ? [] : [`Hidden characters in ${where}: ${count}.`]
}

/** Claims, and said as claims. Without one nothing is known. */
function claimWarnings({ tool: { annotations = {} } }: ProposedCall): readonly string[] {
  const { destructiveHint, openWorldHint } = annotations
  return [
    ...(destructiveHint === true
      ? ['The server says that this tool may remove or overwrite things.']
      : []),
    ...(openWorldHint === true
      ? ['The server says that this tool reaches things outside, such as the web.']
      : []),
  ]
}
