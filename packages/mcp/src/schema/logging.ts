import * as s from './check.ts'
import { type MetaObject, optionalMeta } from './metadata.ts'
import { type RequestMeta, optionalRequestMeta } from './progress.ts'

/** The severities of syslog, RFC 5424, mildest first. */
export const loggingLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** How grave a log message is. */
export type LoggingLevel = (typeof loggingLevels)[number]

/** One log message. */
export interface LogMessage {
  /** How severe it is, from `debug` to `emergency`. */
  readonly level: LoggingLevel
  /** Which part of the server speaks. */
  readonly logger?: string
  /** Any JSON value. */
  readonly data: unknown
}

/** Params of `logging/setLevel`: this level and all graver ones. */
export interface SetLevelRequestParams {
  readonly level: LoggingLevel
  readonly _meta?: RequestMeta
}

/** Params of `notifications/message`. */
export interface LoggingMessageNotificationParams extends LogMessage {
  readonly _meta?: MetaObject
}

/** A level by name. */
export const loggingLevel = s.oneOf<LoggingLevel>(loggingLevels)

/** Params of `logging/setLevel`. */
export const setLevelParams = s.object<SetLevelRequestParams>({
  level: loggingLevel,
  _meta: optionalRequestMeta,
})

/** Params of `notifications/message`. */
export const loggingMessageParams = s.object<LoggingMessageNotificationParams>({
  level: loggingLevel,
  logger: s.optional(s.string),
  data: s.unknown,
  _meta: optionalMeta,
})
