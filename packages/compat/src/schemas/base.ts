/** Schemas that all messages share: the envelope, metadata, ids, progress, cancellation, pages. */

import type * as Zod from 'zod/v4'

import {
  cancelledParams,
  isEmptyResult,
  isMessageOf,
  isResult,
  kindOfMessage,
  noParams,
  progressParams,
} from '../fast/messages.ts'
import { lazy } from './lazy.ts'

/** The newest revision that is negotiated with `initialize`. */
export const LATEST_PROTOCOL_VERSION = '2025-11-25'
/** The revision of an HTTP request that names none. */
export const DEFAULT_NEGOTIATED_PROTOCOL_VERSION = '2025-03-26'
/** The revisions that are negotiated with `initialize`. */
export const SUPPORTED_PROTOCOL_VERSIONS: string[] = [
  LATEST_PROTOCOL_VERSION,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]
/** The key of `_meta` that names the task a message belongs to. */
export const RELATED_TASK_META_KEY = 'io.modelcontextprotocol/related-task'
/** The version of JSON-RPC that every message names. */
export const JSONRPC_VERSION = '2.0'

/** Accepts objects and functions, whatever is in them. */
export const anyObject = (z: typeof Zod) =>
  z.custom<object>((v) => v !== null && (typeof v === 'object' || typeof v === 'function'))

/** A record of anything. */
export const anyRecord = (z: typeof Zod) => z.record(z.string(), z.unknown())

export const ProgressTokenSchema = lazy((z) => z.union([z.string(), z.number().int()]))
export const CursorSchema = lazy((z) => z.string())
export const TaskCreationParamsSchema = lazy((z) =>
  z.looseObject({ ttl: z.number().optional(), pollInterval: z.number().optional() }),
)
export const TaskMetadataSchema = lazy((z) => z.object({ ttl: z.number().optional() }))
export const RelatedTaskMetadataSchema = lazy((z) => z.object({ taskId: z.string() }))

/** `_meta` of requests and results. */
export const RequestMetaSchema = lazy((z) =>
  z.looseObject({
    progressToken: ProgressTokenSchema.optional(),
    [RELATED_TASK_META_KEY]: RelatedTaskMetadataSchema.optional(),
  }),
)
/** The params that every request may have. */
export const BaseRequestParamsSchema = lazy((z) =>
  z.object({ _meta: RequestMetaSchema.optional() }),
)
/** The params that every notification may have. */
export const NotificationsParamsSchema = lazy((z) =>
  z.object({ _meta: RequestMetaSchema.optional() }),
)
export const TaskAugmentedRequestParamsSchema = lazy(() =>
  BaseRequestParamsSchema.extend({ task: TaskMetadataSchema.optional() }),
)
export const RequestSchema = lazy((z) =>
  z.object({ method: z.string(), params: BaseRequestParamsSchema.loose().optional() }),
)
export const NotificationSchema = lazy((z) =>
  z.object({ method: z.string(), params: NotificationsParamsSchema.loose().optional() }),
)
export const ResultSchema = lazy((z) => z.looseObject({ _meta: RequestMetaSchema.optional() }), {
  accepts: isResult,
})
export const RequestIdSchema = lazy((z) => z.union([z.string(), z.number().int()]))

export const JSONRPCRequestSchema = lazy(
  (z) =>
    z
      .object({
        jsonrpc: z.literal(JSONRPC_VERSION),
        id: RequestIdSchema,
        ...RequestSchema.shape,
      })
      .strict(),
  { accepts: isMessageOf('request') },
)
export const JSONRPCNotificationSchema = lazy(
  (z) => z.object({ jsonrpc: z.literal(JSONRPC_VERSION), ...NotificationSchema.shape }).strict(),
  { accepts: isMessageOf('notification') },
)
export const JSONRPCResultResponseSchema = lazy(
  (z) =>
    z
      .object({ jsonrpc: z.literal(JSONRPC_VERSION), id: RequestIdSchema, result: ResultSchema })
      .strict(),
  { accepts: isMessageOf('result') },
)
export const JSONRPCErrorResponseSchema = lazy(
  (z) =>
    z
      .object({
        jsonrpc: z.literal(JSONRPC_VERSION),
        id: RequestIdSchema.optional(),
        error: z.object({
          code: z.number().int(),
          message: z.string(),
          data: z.unknown().optional(),
        }),
      })
      .strict(),
  { accepts: isMessageOf('error') },
)
/** @deprecated Use `JSONRPCErrorResponseSchema`. */
export const JSONRPCErrorSchema = JSONRPCErrorResponseSchema
export const JSONRPCMessageSchema = lazy(
  (z) =>
    z.union([
      JSONRPCRequestSchema,
      JSONRPCNotificationSchema,
      JSONRPCResultResponseSchema,
      JSONRPCErrorResponseSchema,
    ]),
  { accepts: (value) => kindOfMessage(value) !== undefined },
)
export const JSONRPCResponseSchema = lazy((z) =>
  z.union([JSONRPCResultResponseSchema, JSONRPCErrorResponseSchema]),
)
export const EmptyResultSchema = lazy(() => ResultSchema.strict(), { accepts: isEmptyResult })

export const CancelledNotificationParamsSchema = lazy((z) =>
  NotificationsParamsSchema.extend({
    requestId: RequestIdSchema.optional(),
    reason: z.string().optional(),
  }),
)
export const CancelledNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/cancelled'),
      params: CancelledNotificationParamsSchema,
    }),
  { method: 'notifications/cancelled', params: cancelledParams },
)
export const PingRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('ping'),
      params: BaseRequestParamsSchema.optional(),
    }),
  { method: 'ping', params: noParams },
)

export const ProgressSchema = lazy((z) =>
  z.object({
    progress: z.number(),
    total: z.optional(z.number()),
    message: z.optional(z.string()),
  }),
)
export const ProgressNotificationParamsSchema = lazy((z) =>
  z.object({
    ...NotificationsParamsSchema.shape,
    ...ProgressSchema.shape,
    progressToken: ProgressTokenSchema,
  }),
)
export const ProgressNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/progress'),
      params: ProgressNotificationParamsSchema,
    }),
  { method: 'notifications/progress', params: progressParams },
)

export const PaginatedRequestParamsSchema = lazy(() =>
  BaseRequestParamsSchema.extend({ cursor: CursorSchema.optional() }),
)
export const PaginatedRequestSchema = lazy(() =>
  RequestSchema.extend({ params: PaginatedRequestParamsSchema.optional() }),
)
export const PaginatedResultSchema = lazy(() =>
  ResultSchema.extend({ nextCursor: CursorSchema.optional() }),
)
