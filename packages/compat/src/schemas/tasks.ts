import {
  BaseRequestParamsSchema,
  NotificationSchema,
  NotificationsParamsSchema,
  PaginatedRequestSchema,
  PaginatedResultSchema,
  RequestSchema,
  ResultSchema,
} from './base.ts'
import { lazy } from './lazy.ts'

export const TaskStatusSchema = lazy((z) =>
  z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
)
export const TaskSchema = lazy((z) =>
  z.object({
    taskId: z.string(),
    status: TaskStatusSchema,
    ttl: z.union([z.number(), z.null()]),
    createdAt: z.string(),
    lastUpdatedAt: z.string(),
    pollInterval: z.optional(z.number()),
    statusMessage: z.optional(z.string()),
  }),
)
export const CreateTaskResultSchema = lazy(() => ResultSchema.extend({ task: TaskSchema }))
export const TaskStatusNotificationParamsSchema = lazy(() =>
  NotificationsParamsSchema.merge(TaskSchema),
)
export const TaskStatusNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/tasks/status'),
      params: TaskStatusNotificationParamsSchema,
    }),
  { method: 'notifications/tasks/status' },
)
export const GetTaskRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('tasks/get'),
      params: BaseRequestParamsSchema.extend({ taskId: z.string() }),
    }),
  { method: 'tasks/get' },
)
export const GetTaskResultSchema = lazy((z) =>
  z.object({ ...ResultSchema.shape, ...TaskSchema.shape }),
)
export const GetTaskPayloadRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('tasks/result'),
      params: BaseRequestParamsSchema.extend({ taskId: z.string() }),
    }),
  { method: 'tasks/result' },
)
export const GetTaskPayloadResultSchema = lazy(() => ResultSchema.loose())
export const ListTasksRequestSchema = lazy(
  (z) => PaginatedRequestSchema.extend({ method: z.literal('tasks/list') }),
  { method: 'tasks/list' },
)
export const ListTasksResultSchema = lazy((z) =>
  PaginatedResultSchema.extend({ tasks: z.array(TaskSchema) }),
)
export const CancelTaskRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('tasks/cancel'),
      params: BaseRequestParamsSchema.extend({ taskId: z.string() }),
    }),
  { method: 'tasks/cancel' },
)
export const CancelTaskResultSchema = lazy((z) =>
  z.object({ ...ResultSchema.shape, ...TaskSchema.shape }),
)
