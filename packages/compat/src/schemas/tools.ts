import type * as Zod from 'zod/v4'

import { callToolParams, noParams, pageParams } from '../fast/messages.ts'
import { optional } from '../fast/predicates.ts'
import { isCallToolResult, isTool, pageOf } from '../fast/results.ts'
import {
  NotificationSchema,
  NotificationsParamsSchema,
  PaginatedRequestSchema,
  PaginatedResultSchema,
  RequestSchema,
  ResultSchema,
  TaskAugmentedRequestParamsSchema,
  anyObject,
  anyRecord,
} from './base.ts'
import { ContentBlockSchema } from './content.ts'
import { lazy } from './lazy.ts'
import { BaseMetadataSchema, IconsSchema } from './lifecycle.ts'

export const ToolAnnotationsSchema = lazy((z) =>
  z.object({
    title: z.string().optional(),
    readOnlyHint: z.boolean().optional(),
    destructiveHint: z.boolean().optional(),
    idempotentHint: z.boolean().optional(),
    openWorldHint: z.boolean().optional(),
  }),
)
export const ToolExecutionSchema = lazy((z) =>
  z.object({ taskSupport: z.enum(['required', 'optional', 'forbidden']).optional() }),
)

const objectJsonSchema = (z: typeof Zod) =>
  z
    .object({
      type: z.literal('object'),
      properties: z.record(z.string(), anyObject(z)).optional(),
      required: z.array(z.string()).optional(),
    })
    .catchall(z.unknown())

export const ToolSchema = lazy((z) =>
  z.object({
    ...BaseMetadataSchema.shape,
    ...IconsSchema.shape,
    description: z.string().optional(),
    inputSchema: objectJsonSchema(z),
    outputSchema: objectJsonSchema(z).optional(),
    annotations: ToolAnnotationsSchema.optional(),
    execution: ToolExecutionSchema.optional(),
    _meta: anyRecord(z).optional(),
  }),
)
export const ListToolsRequestSchema = lazy(
  (z) => PaginatedRequestSchema.extend({ method: z.literal('tools/list') }),
  { method: 'tools/list', params: optional(pageParams) },
)
export const ListToolsResultSchema = lazy(
  (z) => PaginatedResultSchema.extend({ tools: z.array(ToolSchema) }),
  { accepts: pageOf('tools', isTool) },
)
export const CallToolResultSchema = lazy(
  (z) =>
    ResultSchema.extend({
      content: z.array(ContentBlockSchema).default([]),
      structuredContent: anyRecord(z).optional(),
      isError: z.boolean().optional(),
    }),
  { accepts: isCallToolResult },
)
export const CompatibilityCallToolResultSchema = lazy((z) =>
  CallToolResultSchema.or(ResultSchema.extend({ toolResult: z.unknown() })),
)
export const CallToolRequestParamsSchema = lazy((z) =>
  TaskAugmentedRequestParamsSchema.extend({
    name: z.string(),
    arguments: anyRecord(z).optional(),
  }),
)
export const CallToolRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('tools/call'),
      params: CallToolRequestParamsSchema,
    }),
  { method: 'tools/call', params: callToolParams },
)
export const ToolListChangedNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/tools/list_changed'),
      params: NotificationsParamsSchema.optional(),
    }),
  { method: 'notifications/tools/list_changed', params: noParams },
)
export const ListChangedOptionsBaseSchema = lazy((z) =>
  z.object({
    autoRefresh: z.boolean().default(true),
    debounceMs: z.number().int().nonnegative().default(300),
  }),
)
