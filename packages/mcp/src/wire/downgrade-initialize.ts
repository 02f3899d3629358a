import type {
  CapabilitySettings,
  ClientCapabilities,
  ServerCapabilities,
} from '../schema/capabilities.ts'
import { omit } from '../schema/json.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { WireFeatures } from './codec.ts'

/** Writes a name and version in a revision. */
export function downgradeImplementation(info: Implementation, has: WireFeatures): Implementation {
  const missing = has.icons ? [] : ['icons', 'description', 'websiteUrl']
  if (!has.titles) missing.push('title')
  return omit(info, missing)
}

/** Writes a server's capabilities in a revision. */
export function downgradeCapabilities(
  capabilities: ServerCapabilities,
  has: WireFeatures,
): ServerCapabilities {
  const missing = has.tasks === 'core' ? [] : ['tasks']
  if (!has.completionsCapability) missing.push('completions')
  return withoutTaskExtension(omit(capabilities, missing), has)
}

/** Writes a client's capabilities in a revision. */
export function downgradeClientCapabilities(
  capabilities: ClientCapabilities,
  has: WireFeatures,
): ClientCapabilities {
  const missing = has.tasks === 'core' ? [] : ['tasks']
  if (has.elicitation === 'none') missing.push('elicitation')
  const plain = withoutTaskExtension(omit(capabilities, missing), has)
  const { elicitation, sampling, roots } = plain
  return {
    ...plain,
    ...(elicitation && has.elicitation === 'plain' && { elicitation: {} }),
    ...(sampling && !has.samplingTools && { sampling: {} }),
    ...(roots && !has.initialize && { roots: {} }), // nobody is told that they have changed
  }
}

/** The key means nothing where tasks are not an extension, and would be taken for more than it is. */
function withoutTaskExtension<T extends { readonly extensions?: CapabilitySettings }>(
  capabilities: T,
  has: WireFeatures,
): T {
  const { extensions } = capabilities
  if (has.tasks === 'extension' || extensions?.[tasksExtension] === undefined) return capabilities
  const { [tasksExtension]: _, ...others } = extensions
  return Object.keys(others).length === 0
    ? omit(capabilities, ['extensions'])
    : { ...capabilities, extensions: others }
}

export const tasksExtension = 'io.modelcontextprotocol/tasks'
