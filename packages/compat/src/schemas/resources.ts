import { noParams, pageParams, uriParams } from '../fast/messages.ts'
import { optional } from '../fast/predicates.ts'
import { isReadResourceResult, isResource, isResourceTemplate, pageOf } from '../fast/results.ts'
import {
  BaseRequestParamsSchema,
  NotificationSchema,
  NotificationsParamsSchema,
  PaginatedRequestSchema,
  PaginatedResultSchema,
  RequestSchema,
  ResultSchema,
} from './base.ts'
import {
  AnnotationsSchema,
  BlobResourceContentsSchema,
  ResourceSchema,
  TextResourceContentsSchema,
} from './content.ts'
import { lazy } from './lazy.ts'
import { BaseMetadataSchema, IconsSchema } from './lifecycle.ts'

export const ResourceTemplateSchema = lazy((z) =>
  z.object({
    ...BaseMetadataSchema.shape,
    ...IconsSchema.shape,
    uriTemplate: z.string(),
    description: z.optional(z.string()),
    mimeType: z.optional(z.string()),
    annotations: AnnotationsSchema.optional(),
    _meta: z.optional(z.looseObject({})),
  }),
)
export const ListResourcesRequestSchema = lazy(
  (z) => PaginatedRequestSchema.extend({ method: z.literal('resources/list') }),
  { method: 'resources/list', params: optional(pageParams) },
)
export const ListResourcesResultSchema = lazy(
  (z) => PaginatedResultSchema.extend({ resources: z.array(ResourceSchema) }),
  { accepts: pageOf('resources', isResource) },
)
export const ListResourceTemplatesRequestSchema = lazy(
  (z) => PaginatedRequestSchema.extend({ method: z.literal('resources/templates/list') }),
  { method: 'resources/templates/list', params: optional(pageParams) },
)
export const ListResourceTemplatesResultSchema = lazy(
  (z) => PaginatedResultSchema.extend({ resourceTemplates: z.array(ResourceTemplateSchema) }),
  { accepts: pageOf('resourceTemplates', isResourceTemplate) },
)
export const ResourceRequestParamsSchema = lazy((z) =>
  BaseRequestParamsSchema.extend({ uri: z.string() }),
)
export const ReadResourceRequestParamsSchema = ResourceRequestParamsSchema
export const ReadResourceRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('resources/read'),
      params: ReadResourceRequestParamsSchema,
    }),
  { method: 'resources/read', params: uriParams },
)
export const ReadResourceResultSchema = lazy(
  (z) =>
    ResultSchema.extend({
      contents: z.array(z.union([TextResourceContentsSchema, BlobResourceContentsSchema])),
    }),
  { accepts: isReadResourceResult },
)
export const ResourceListChangedNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/resources/list_changed'),
      params: NotificationsParamsSchema.optional(),
    }),
  { method: 'notifications/resources/list_changed', params: noParams },
)
export const SubscribeRequestParamsSchema = ResourceRequestParamsSchema
export const SubscribeRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('resources/subscribe'),
      params: SubscribeRequestParamsSchema,
    }),
  { method: 'resources/subscribe', params: uriParams },
)
export const UnsubscribeRequestParamsSchema = ResourceRequestParamsSchema
export const UnsubscribeRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('resources/unsubscribe'),
      params: UnsubscribeRequestParamsSchema,
    }),
  { method: 'resources/unsubscribe', params: uriParams },
)
export const ResourceUpdatedNotificationParamsSchema = lazy((z) =>
  NotificationsParamsSchema.extend({ uri: z.string() }),
)
export const ResourceUpdatedNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/resources/updated'),
      params: ResourceUpdatedNotificationParamsSchema,
    }),
  { method: 'notifications/resources/updated', params: uriParams },
)
