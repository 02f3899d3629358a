/** Logging, sampling, roots and completion: what is left of the ordinary messages. */

import type * as Zod from 'zod/v4'

import { completeParams, levelParams, loggingParams, noParams } from '../fast/messages.ts'
import {
  BaseRequestParamsSchema,
  NotificationSchema,
  NotificationsParamsSchema,
  RequestSchema,
  ResultSchema,
  TaskAugmentedRequestParamsSchema,
  anyObject,
  anyRecord,
} from './base.ts'
import {
  AudioContentSchema,
  ImageContentSchema,
  RoleSchema,
  TextContentSchema,
  ToolResultContentSchema,
  ToolUseContentSchema,
} from './content.ts'
import { lazy } from './lazy.ts'
import { ToolSchema } from './tools.ts'

export const LoggingLevelSchema = lazy((z) =>
  z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']),
)
export const SetLevelRequestParamsSchema = lazy(() =>
  BaseRequestParamsSchema.extend({ level: LoggingLevelSchema }),
)
export const SetLevelRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('logging/setLevel'),
      params: SetLevelRequestParamsSchema,
    }),
  { method: 'logging/setLevel', params: levelParams },
)
export const LoggingMessageNotificationParamsSchema = lazy((z) =>
  NotificationsParamsSchema.extend({
    level: LoggingLevelSchema,
    logger: z.string().optional(),
    data: z.unknown(),
  }),
)
export const LoggingMessageNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/message'),
      params: LoggingMessageNotificationParamsSchema,
    }),
  { method: 'notifications/message', params: loggingParams },
)

export const ModelHintSchema = lazy((z) => z.object({ name: z.string().optional() }))
const weight = (z: typeof Zod) => z.number().min(0).max(1)
export const ModelPreferencesSchema = lazy((z) =>
  z.object({
    hints: z.array(ModelHintSchema).optional(),
    costPriority: weight(z).optional(),
    speedPriority: weight(z).optional(),
    intelligencePriority: weight(z).optional(),
  }),
)
export const ToolChoiceSchema = lazy((z) =>
  z.object({ mode: z.enum(['auto', 'required', 'none']).optional() }),
)
export const SamplingContentSchema = lazy((z) =>
  z.discriminatedUnion('type', [TextContentSchema, ImageContentSchema, AudioContentSchema]),
)
export const SamplingMessageContentBlockSchema = lazy((z) =>
  z.discriminatedUnion('type', [
    TextContentSchema,
    ImageContentSchema,
    AudioContentSchema,
    ToolUseContentSchema,
    ToolResultContentSchema,
  ]),
)
export const SamplingMessageSchema = lazy((z) =>
  z.object({
    role: RoleSchema,
    content: z.union([
      SamplingMessageContentBlockSchema,
      z.array(SamplingMessageContentBlockSchema),
    ]),
    _meta: anyRecord(z).optional(),
  }),
)
export const CreateMessageRequestParamsSchema = lazy((z) =>
  TaskAugmentedRequestParamsSchema.extend({
    messages: z.array(SamplingMessageSchema),
    modelPreferences: ModelPreferencesSchema.optional(),
    systemPrompt: z.string().optional(),
    includeContext: z.enum(['none', 'thisServer', 'allServers']).optional(),
    temperature: z.number().optional(),
    maxTokens: z.number().int(),
    stopSequences: z.array(z.string()).optional(),
    metadata: anyObject(z).optional(),
    tools: z.array(ToolSchema).optional(),
    toolChoice: ToolChoiceSchema.optional(),
  }),
)
export const CreateMessageRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('sampling/createMessage'),
      params: CreateMessageRequestParamsSchema,
    }),
  { method: 'sampling/createMessage' },
)
export const CreateMessageResultSchema = lazy((z) =>
  ResultSchema.extend({
    model: z.string(),
    stopReason: z.optional(z.enum(['endTurn', 'stopSequence', 'maxTokens']).or(z.string())),
    role: RoleSchema,
    content: SamplingContentSchema,
  }),
)
export const CreateMessageResultWithToolsSchema = lazy((z) =>
  ResultSchema.extend({
    model: z.string(),
    stopReason: z.optional(
      z.enum(['endTurn', 'stopSequence', 'maxTokens', 'toolUse']).or(z.string()),
    ),
    role: RoleSchema,
    content: z.union([
      SamplingMessageContentBlockSchema,
      z.array(SamplingMessageContentBlockSchema),
    ]),
  }),
)

export const RootSchema = lazy((z) =>
  z.object({
    uri: z.string().startsWith('file://'),
    name: z.string().optional(),
    _meta: anyRecord(z).optional(),
  }),
)
export const ListRootsRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('roots/list'),
      params: BaseRequestParamsSchema.optional(),
    }),
  { method: 'roots/list', params: noParams },
)
export const ListRootsResultSchema = lazy((z) =>
  ResultSchema.extend({ roots: z.array(RootSchema) }),
)
export const RootsListChangedNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/roots/list_changed'),
      params: NotificationsParamsSchema.optional(),
    }),
  { method: 'notifications/roots/list_changed', params: noParams },
)

export const ResourceTemplateReferenceSchema = lazy((z) =>
  z.object({ type: z.literal('ref/resource'), uri: z.string() }),
)
/** @deprecated Use `ResourceTemplateReferenceSchema`. */
export const ResourceReferenceSchema = ResourceTemplateReferenceSchema
export const PromptReferenceSchema = lazy((z) =>
  z.object({ type: z.literal('ref/prompt'), name: z.string() }),
)
export const CompleteRequestParamsSchema = lazy((z) =>
  BaseRequestParamsSchema.extend({
    ref: z.union([PromptReferenceSchema, ResourceTemplateReferenceSchema]),
    argument: z.object({ name: z.string(), value: z.string() }),
    context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
  }),
)
export const CompleteRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('completion/complete'),
      params: CompleteRequestParamsSchema,
    }),
  { method: 'completion/complete', params: completeParams },
)
export const CompleteResultSchema = lazy((z) =>
  ResultSchema.extend({
    completion: z.looseObject({
      values: z.array(z.string()).max(100),
      total: z.optional(z.number().int()),
      hasMore: z.optional(z.boolean()),
    }),
  }),
)
