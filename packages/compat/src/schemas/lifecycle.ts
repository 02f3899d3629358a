import type * as Zod from 'zod/v4'

import { initializeParams, noParams } from '../fast/messages.ts'
import {
  BaseRequestParamsSchema,
  NotificationSchema,
  NotificationsParamsSchema,
  RequestSchema,
  ResultSchema,
  anyObject,
  anyRecord,
} from './base.ts'
import { lazy } from './lazy.ts'

export const IconSchema = lazy((z) =>
  z.object({
    src: z.string(),
    mimeType: z.string().optional(),
    sizes: z.array(z.string()).optional(),
    theme: z.enum(['light', 'dark']).optional(),
  }),
)
export const IconsSchema = lazy((z) => z.object({ icons: z.array(IconSchema).optional() }))
export const BaseMetadataSchema = lazy((z) =>
  z.object({ name: z.string(), title: z.string().optional() }),
)
export const ImplementationSchema = lazy((z) =>
  BaseMetadataSchema.extend({
    ...BaseMetadataSchema.shape,
    ...IconsSchema.shape,
    version: z.string(),
    websiteUrl: z.string().optional(),
    description: z.string().optional(),
  }),
)

const formCapability = (z: typeof Zod) =>
  z.intersection(z.object({ applyDefaults: z.boolean().optional() }), anyRecord(z))

/** `elicitation: {}` means forms: that is how it was written before there were other modes. */
const elicitationCapability = (z: typeof Zod) =>
  z.preprocess(
    (value) => (isEmptyObject(value) ? { form: {} } : value),
    z.intersection(
      z.object({ form: formCapability(z).optional(), url: anyObject(z).optional() }),
      anyRecord(z).optional(),
    ),
  )

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length === 0
  )
}

export const ClientTasksCapabilitySchema = lazy((z) =>
  z.looseObject({
    list: anyObject(z).optional(),
    cancel: anyObject(z).optional(),
    requests: z
      .looseObject({
        sampling: z.looseObject({ createMessage: anyObject(z).optional() }).optional(),
        elicitation: z.looseObject({ create: anyObject(z).optional() }).optional(),
      })
      .optional(),
  }),
)
export const ServerTasksCapabilitySchema = lazy((z) =>
  z.looseObject({
    list: anyObject(z).optional(),
    cancel: anyObject(z).optional(),
    requests: z
      .looseObject({ tools: z.looseObject({ call: anyObject(z).optional() }).optional() })
      .optional(),
  }),
)
export const ClientCapabilitiesSchema = lazy((z) =>
  z.object({
    experimental: z.record(z.string(), anyObject(z)).optional(),
    sampling: z
      .object({ context: anyObject(z).optional(), tools: anyObject(z).optional() })
      .optional(),
    elicitation: elicitationCapability(z).optional(),
    roots: z.object({ listChanged: z.boolean().optional() }).optional(),
    tasks: ClientTasksCapabilitySchema.optional(),
    extensions: z.record(z.string(), anyObject(z)).optional(),
  }),
)
export const InitializeRequestParamsSchema = lazy((z) =>
  BaseRequestParamsSchema.extend({
    protocolVersion: z.string(),
    capabilities: ClientCapabilitiesSchema,
    clientInfo: ImplementationSchema,
  }),
)
export const InitializeRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('initialize'),
      params: InitializeRequestParamsSchema,
    }),
  { method: 'initialize', params: initializeParams },
)
export const ServerCapabilitiesSchema = lazy((z) =>
  z.object({
    experimental: z.record(z.string(), anyObject(z)).optional(),
    logging: anyObject(z).optional(),
    completions: anyObject(z).optional(),
    prompts: z.object({ listChanged: z.boolean().optional() }).optional(),
    resources: z
      .object({ subscribe: z.boolean().optional(), listChanged: z.boolean().optional() })
      .optional(),
    tools: z.object({ listChanged: z.boolean().optional() }).optional(),
    tasks: ServerTasksCapabilitySchema.optional(),
    extensions: z.record(z.string(), anyObject(z)).optional(),
  }),
)
export const InitializeResultSchema = lazy((z) =>
  ResultSchema.extend({
    protocolVersion: z.string(),
    capabilities: ServerCapabilitiesSchema,
    serverInfo: ImplementationSchema,
    instructions: z.string().optional(),
  }),
)
export const InitializedNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/initialized'),
      params: NotificationsParamsSchema.optional(),
    }),
  { method: 'notifications/initialized', params: noParams },
)
