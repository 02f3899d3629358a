export type {
  AskPerson,
  CallOutcome,
  Consent,
  ConsentAnswer,
  ConsentQuestion,
  Decision,
  DefinitionChange,
  Flow,
  ProposedCall,
} from './consent/consent.ts'
export { createConsent } from './consent/create-consent.ts'
export type { ConsentOptions } from './consent/create-consent.ts'
export type {
  ConsentMemory,
  RememberedAnswer,
  SeenDefinition,
  ToolVersion,
} from './consent/memory/consent-memory.ts'
export { memoryConsentStore } from './consent/memory/consent-store.ts'
export type { ConsentStore } from './consent/memory/consent-store.ts'
export { readRules } from './consent/rules/read-rules.ts'
export type { ReadRules, ReadRulesOptions, RuleProblem } from './consent/rules/read-rules.ts'
export type {
  ConsentRules,
  RememberedFor,
  Rule,
  RuleDecision,
  RuleLimits,
} from './consent/rules/rule.ts'
export type { KnownName } from './text-safety/call-warnings.ts'
