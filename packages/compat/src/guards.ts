import {
  TaskAugmentedRequestParamsSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
} from './schemas/base.ts'
import { supportedSchema } from './schemas/lazy.ts'
import { InitializeRequestSchema, InitializedNotificationSchema } from './schemas/lifecycle.ts'
import type {
  CompleteRequest,
  CompleteRequestPrompt,
  CompleteRequestResourceTemplate,
  InitializeRequest,
  InitializedNotification,
  JSONRPCErrorResponse,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
  TaskAugmentedRequestParams,
} from './types.ts'

interface Checkable {
  safeParse(value: unknown): { success: boolean }
}

/** The predicate first; the schema is made only for what it is unsure of. */
function matches(schema: Checkable, value: unknown): boolean {
  return supportedSchema(schema)?.accepts?.(value) === true || schema.safeParse(value).success
}

export const isTaskAugmentedRequestParams = (value: unknown): value is TaskAugmentedRequestParams =>
  matches(TaskAugmentedRequestParamsSchema, value)
export const isJSONRPCRequest = (value: unknown): value is JSONRPCRequest =>
  matches(JSONRPCRequestSchema, value)
export const isJSONRPCNotification = (value: unknown): value is JSONRPCNotification =>
  matches(JSONRPCNotificationSchema, value)
export const isJSONRPCResultResponse = (value: unknown): value is JSONRPCResultResponse =>
  matches(JSONRPCResultResponseSchema, value)
/** @deprecated Use `isJSONRPCResultResponse`. */
export const isJSONRPCResponse = isJSONRPCResultResponse
export const isJSONRPCErrorResponse = (value: unknown): value is JSONRPCErrorResponse =>
  matches(JSONRPCErrorResponseSchema, value)
/** @deprecated Use `isJSONRPCErrorResponse`. */
export const isJSONRPCError = isJSONRPCErrorResponse
export const isInitializeRequest = (value: unknown): value is InitializeRequest =>
  mayBe('initialize', value) && InitializeRequestSchema.safeParse(value).success
export const isInitializedNotification = (value: unknown): value is InitializedNotification =>
  mayBe('notifications/initialized', value) &&
  InitializedNotificationSchema.safeParse(value).success

/** Spares the schema for each request that is another one. */
function mayBe(method: string, value: unknown): boolean {
  return (value as { method?: unknown } | null | undefined)?.method === method
}

/** Throws unless the reference is one to a prompt. */
export function assertCompleteRequestPrompt(
  request: CompleteRequest,
): asserts request is CompleteRequestPrompt {
  assertReference(request, 'ref/prompt', 'CompleteRequestPrompt')
}

/** Throws unless the reference is one to a resource template. */
export function assertCompleteRequestResourceTemplate(
  request: CompleteRequest,
): asserts request is CompleteRequestResourceTemplate {
  assertReference(request, 'ref/resource', 'CompleteRequestResourceTemplate')
}

function assertReference({ params }: CompleteRequest, type: string, name: string): void {
  if (params.ref.type !== type) {
    throw new TypeError(`Expected ${name}, but got ${params.ref.type}`)
  }
}
