export type {
  AskPerson,
  Consent,
  ConsentAnswer,
  ConsentQuestion,
  Decision,
  DefinitionChange,
  Flow,
  ProposedCall,
} from './consent/consent.ts'
