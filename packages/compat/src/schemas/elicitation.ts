/**
 * Schemas of elicitation: the fields that a form may have, the two kinds of requests, and their answers.
 *
 * A form has a flat object of strings, numbers, booleans and choices. That answers fit a form is checked by `Server` and `Client`.
 */

import type * as Zod from 'zod/v4'

import {
  NotificationSchema,
  NotificationsParamsSchema,
  RequestSchema,
  ResultSchema,
  TaskAugmentedRequestParamsSchema,
} from './base.ts'
import { lazy } from './lazy.ts'

const labels = (z: typeof Zod) => ({
  title: z.string().optional(),
  description: z.string().optional(),
})
const choices = (z: typeof Zod) => z.array(z.object({ const: z.string(), title: z.string() }))

export const BooleanSchemaSchema = lazy((z) =>
  z.object({ type: z.literal('boolean'), ...labels(z), default: z.boolean().optional() }),
)
export const StringSchemaSchema = lazy((z) =>
  z.object({
    type: z.literal('string'),
    ...labels(z),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
    default: z.string().optional(),
  }),
)
export const NumberSchemaSchema = lazy((z) =>
  z.object({
    type: z.enum(['number', 'integer']),
    ...labels(z),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
)
export const UntitledSingleSelectEnumSchemaSchema = lazy((z) =>
  z.object({
    type: z.literal('string'),
    ...labels(z),
    enum: z.array(z.string()),
    default: z.string().optional(),
  }),
)
export const TitledSingleSelectEnumSchemaSchema = lazy((z) =>
  z.object({
    type: z.literal('string'),
    ...labels(z),
    oneOf: choices(z),
    default: z.string().optional(),
  }),
)
export const LegacyTitledEnumSchemaSchema = lazy((z) =>
  z.object({
    type: z.literal('string'),
    ...labels(z),
    enum: z.array(z.string()),
    enumNames: z.array(z.string()).optional(),
    default: z.string().optional(),
  }),
)
export const SingleSelectEnumSchemaSchema = lazy((z) =>
  z.union([UntitledSingleSelectEnumSchemaSchema, TitledSingleSelectEnumSchemaSchema]),
)
export const UntitledMultiSelectEnumSchemaSchema = lazy((z) =>
  z.object({
    type: z.literal('array'),
    ...labels(z),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    items: z.object({ type: z.literal('string'), enum: z.array(z.string()) }),
    default: z.array(z.string()).optional(),
  }),
)
export const TitledMultiSelectEnumSchemaSchema = lazy((z) =>
  z.object({
    type: z.literal('array'),
    ...labels(z),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    items: z.object({ anyOf: choices(z) }),
    default: z.array(z.string()).optional(),
  }),
)
export const MultiSelectEnumSchemaSchema = lazy((z) =>
  z.union([UntitledMultiSelectEnumSchemaSchema, TitledMultiSelectEnumSchemaSchema]),
)
export const EnumSchemaSchema = lazy((z) =>
  z.union([
    LegacyTitledEnumSchemaSchema,
    SingleSelectEnumSchemaSchema,
    MultiSelectEnumSchemaSchema,
  ]),
)
export const PrimitiveSchemaDefinitionSchema = lazy((z) =>
  z.union([EnumSchemaSchema, BooleanSchemaSchema, StringSchemaSchema, NumberSchemaSchema]),
)

export const ElicitRequestFormParamsSchema = lazy((z) =>
  TaskAugmentedRequestParamsSchema.extend({
    mode: z.literal('form').optional(),
    message: z.string(),
    requestedSchema: z.object({
      type: z.literal('object'),
      properties: z.record(z.string(), PrimitiveSchemaDefinitionSchema),
      required: z.array(z.string()).optional(),
    }),
  }),
)
export const ElicitRequestURLParamsSchema = lazy((z) =>
  TaskAugmentedRequestParamsSchema.extend({
    mode: z.literal('url'),
    message: z.string(),
    elicitationId: z.string(),
    url: z.string().url(),
  }),
)
export const ElicitRequestParamsSchema = lazy((z) =>
  z.union([ElicitRequestFormParamsSchema, ElicitRequestURLParamsSchema]),
)
export const ElicitRequestSchema = lazy(
  (z) =>
    RequestSchema.extend({
      method: z.literal('elicitation/create'),
      params: ElicitRequestParamsSchema,
    }),
  { method: 'elicitation/create' },
)
export const ElicitationCompleteNotificationParamsSchema = lazy((z) =>
  NotificationsParamsSchema.extend({ elicitationId: z.string() }),
)
export const ElicitationCompleteNotificationSchema = lazy(
  (z) =>
    NotificationSchema.extend({
      method: z.literal('notifications/elicitation/complete'),
      params: ElicitationCompleteNotificationParamsSchema,
    }),
  { method: 'notifications/elicitation/complete' },
)
export const ElicitResultSchema = lazy((z) =>
  ResultSchema.extend({
    action: z.enum(['accept', 'decline', 'cancel']),
    // Some clients send `null` for "no content".
    content: z.preprocess(
      (value) => (value === null ? undefined : value),
      z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
        .optional(),
    ),
  }),
)
