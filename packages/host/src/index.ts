export { createHost } from './create-host.ts'
export type { Host, HostOptions, HostTimeouts, HostServerView, FromServer } from './host.ts'
export type { ElicitationSettings, QuestionAnswer, ServerQuestion } from './brokers/elicitation.ts'
export type {
  AnswerDecision,
  SamplingAnswer,
  SamplingDecision,
  SamplingModel,
  SamplingReview,
  SamplingSettings,
} from './brokers/sampling.ts'
export { configuredServers } from './connections/configured-servers.ts'
export type { ConfiguredServersOptions } from './connections/configured-servers.ts'
export type { ServerConnection } from './connections/connection.ts'
export { HostError, type HostErrorCode } from './host-error.ts'
export type {
  HostServer,
  HostTarget,
  OpenTarget,
  HostSignInOptions,
} from './connections/host-server.ts'
export type { AccountGrant, HostAccount, ServerAccount } from './connections/host-account.ts'
export type { ServerFeatures } from './connections/server-features.ts'
export type { ServerState, ServerStatus } from './connections/server-status.ts'
export type {
  AskPerson,
  CallOfProgram,
  CallOutcome,
  Consent,
  ConsentAnswer,
  ConsentQuestion,
  ConsentDecision,
  DefinitionChange,
  DataFlow,
  ProgramRecord,
  ProposedCall,
  ServerExchange,
} from './consent/consent.ts'
export { createConsent } from './consent/create-consent.ts'
export type {
  ConsentOptions,
  RememberedAnswer,
  RememberingConsent,
} from './consent/create-consent.ts'
export type {
  ConsentMemory,
  RememberedDecision,
  ApprovedDefinition,
  ToolVersion,
} from './consent/memory/consent-memory.ts'
export { createMemoryConsentStore, revokeAnswers } from './consent/memory/consent-store.ts'
export type { ConsentStore } from './consent/memory/consent-store.ts'
export { createFileConsentStore } from './consent/memory/file-consent-store.ts'
export { explainRules } from './consent/rules/explain.ts'
export type { ExplainedRule, ExplainedRules } from './consent/rules/explain.ts'
export type { EvaluatedCall } from './consent/rules/evaluate-rules.ts'
export { readRules } from './consent/rules/read-rules.ts'
export type {
  ReadRulesResult,
  ReadRulesOptions,
  ConsentRuleProblem,
} from './consent/rules/read-rules.ts'
export type {
  ConsentRules,
  RememberedFor,
  ConsentRule,
  ConsentRuleDecision,
  ConsentRuleLimits,
} from './consent/rules/rule.ts'
export { findLookAlikes, showHidden, withoutHidden } from '@parley/foundation/text-safety'
export type { AppCall } from './tools/call-for-app.ts'
export type { UsedName, LookAlike } from '@parley/foundation/text-safety'
export type { AttachedResource, ResourceChange } from './context/attached-resources.ts'
export type { ContextMeter, ServerMeter } from './context/meter.ts'
export type { CodeModeOptions } from './code/code-mode.ts'
export type { ContextOptions } from './context/tool-selection.ts'
export type { RegisteredTool, ToolRegistry } from './tools/tool-registry.ts'
export type { Conversation, TurnChoice, TurnOptions } from './transcript/conversation.ts'
export { isTranscript, replayTranscript } from './transcript/transcript.ts'
export type { Transcript, TranscriptEntry, TranscriptStore } from './transcript/transcript.ts'
export type {
  HostObservation,
  HostObserver,
  ModelOutcome,
  ObservedModelRequest,
  ObservedProgram,
  ObservedProgramEnd,
  ObservedTurn,
  TurnOutcome,
} from './observing/host-observer.ts'
export type { HostLimits } from './turn/limits.ts'
export type {
  EndReason,
  NoticeCode,
  ProgramEndReason,
  TurnEnd,
  TurnEvent,
} from './turn/turn-event.ts'
export type { AppNote, Attachment, TurnInput } from './turn/turn-input.ts'
