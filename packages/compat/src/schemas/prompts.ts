import { getPromptParams, noParams, pageParams } from '../fast/messages.ts'
import { optional } from '../fast/predicates.ts'
import { isGetPromptResult, isPrompt, pageOf } from '../fast/results.ts'
import {
  BaseRequestParamsSchema,
  NotificationSchema,
  NotificationsParamsSchema,
  PaginatedRequestSchema,
  PaginatedResultSchema,
  RequestSchema,
  ResultSchema,
} from './base.ts'
import { ContentBlockSchema, RoleSchema } from './content.ts'
import { lazy } from './lazy.ts'
import { BaseMetadataSchema, IconsSchema } from './lifecycle.ts'

export const PromptArgumentSchema = lazy((z) =>
  z.object({
    name: z.string(),
    description: z.optional(z.string()),
    required: z.optional(z.boolean()),
  }),
)
export const PromptSchema = lazy((z) =>
  z.object({
    ...BaseMetadataSchema.shape,
    ...IconsSchema.shape,
    description: z.optional(z.string()),
    arguments: z.optional(z.array(PromptArgumentSchema)),
    _meta: z.optional(z.looseObject({})),
  }),
)
export const ListPromptsRequestSchema = lazy(
  (z) => PaginatedRequestSchema.extend({ method: z.literal('prompts/list') }),
  { method: 'prompts/list', params: optional(pageParams) },
)
export const ListPromptsResultSchema = lazy(
  (z) => PaginatedResultSchema.extend({ prompts: z.array(PromptSchema) }),
  { accepts: pageOf('prompts', isPrompt) },
)
export const GetPromptRequestParamsSchema = lazy((z) =>
  BaseRequestParamsSchema.extend({
    name: z.string(),
    arguments: z.record(z.string(), z.string()).optional(),
  }),
)
export const GetPromptRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('prompts/get'),
      params: GetPromptRequestParamsSchema,
    }),
  { method: 'prompts/get', params: getPromptParams },
)
export const PromptMessageSchema = lazy((z) =>
  z.object({ role: RoleSchema, content: ContentBlockSchema }),
)
export const GetPromptResultSchema = lazy(
  (z) =>
    ResultSchema.extend({
      description: z.string().optional(),
      messages: z.array(PromptMessageSchema),
    }),
  { accepts: isGetPromptResult },
)
export const PromptListChangedNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/prompts/list_changed'),
      params: NotificationsParamsSchema.optional(),
    }),
  { method: 'notifications/prompts/list_changed', params: noParams },
)
