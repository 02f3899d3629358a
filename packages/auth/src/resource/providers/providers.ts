import { auth0 } from './auth0.ts'
import { cognito } from './cognito.ts'
import { entra } from './entra.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { keycloak } from './keycloak.ts'
import { okta } from './okta.ts'

/** Rules for known providers, each to be given as an `issuer`. */
export const providers = { entra, auth0, keycloak, okta, cognito, google, github } as const
