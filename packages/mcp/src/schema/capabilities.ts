import * as s from './check.ts'
import type { JsonObject } from './json.ts'

/** Settings by identifier. */
export interface CapabilitySettings {
  readonly [id: string]: JsonObject
}

/** Whether a list is announced when it changes. */
export interface ListCapability {
  readonly listChanged?: boolean
}

/** Which kinds of question a client can show; neither named means forms. */
export interface ElicitationCapability {
  readonly form?: JsonObject
  readonly url?: JsonObject
}

/** What a client's sampling can do besides text. */
export interface SamplingCapability {
  readonly tools?: JsonObject
  readonly context?: JsonObject
}

/** What resources can do besides being read. */
export interface ResourcesCapability extends ListCapability {
  readonly subscribe?: boolean
}

/** What may run as a task, in 2025-11-25: each kind of request that may, and what can be done with tasks. */
export interface TasksCapability {
  readonly list?: JsonObject
  readonly cancel?: JsonObject
  /** Settings by area and method, such as `{ tools: { call: {} } }`. */
  readonly requests?: CapabilitySettings
}

/** What a client can be asked. */
export interface ClientCapabilities {
  readonly elicitation?: ElicitationCapability
  readonly sampling?: SamplingCapability
  readonly roots?: ListCapability
  /** 2025-11-25 only. */
  readonly tasks?: TasksCapability
  readonly extensions?: CapabilitySettings
  readonly experimental?: CapabilitySettings
}

/** What a server offers. */
export interface ServerCapabilities {
  readonly tools?: ListCapability
  readonly resources?: ResourcesCapability
  readonly prompts?: ListCapability
  readonly completions?: JsonObject
  readonly logging?: JsonObject
  /** 2025-11-25 only. */
  readonly tasks?: TasksCapability
  readonly extensions?: CapabilitySettings
  readonly experimental?: CapabilitySettings
}

const listCapability = s.object<ListCapability>({ listChanged: s.optional(s.boolean) })
const settings: s.Check<CapabilitySettings> = s.record(s.jsonObject)

const elicitationCapability = s.object<ElicitationCapability>({
  form: s.optional(s.jsonObject),
  url: s.optional(s.jsonObject),
})

const samplingCapability = s.object<SamplingCapability>({
  tools: s.optional(s.jsonObject),
  context: s.optional(s.jsonObject),
})

const resourcesCapability = s.object<ResourcesCapability>({
  ...listCapability.shape,
  subscribe: s.optional(s.boolean),
})

const tasksCapability = s.object<TasksCapability>({
  list: s.optional(s.jsonObject),
  cancel: s.optional(s.jsonObject),
  requests: s.optional(settings),
})

/** `capabilities` of a client. */
export const clientCapabilities = s.object<ClientCapabilities>({
  elicitation: s.optional(elicitationCapability),
  sampling: s.optional(samplingCapability),
  roots: s.optional(listCapability),
  tasks: s.optional(tasksCapability),
  extensions: s.optional(settings),
  experimental: s.optional(settings),
})

/** `capabilities` of a server. */
export const serverCapabilities = s.object<ServerCapabilities>({
  tools: s.optional(listCapability),
  resources: s.optional(resourcesCapability),
  prompts: s.optional(listCapability),
  completions: s.optional(s.jsonObject),
  logging: s.optional(s.jsonObject),
  tasks: s.optional(tasksCapability),
  extensions: s.optional(settings),
  experimental: s.optional(settings),
})
