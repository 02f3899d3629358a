/** Faults that a test has to notice, one for each requirement: what `scripts/plant.mjs` plants. A file for each area of the code. */

import { authFaults } from './auth.mjs'
import { chatFaults } from './chat.mjs'
import { cliFaults } from './cli.mjs'
import { clusterFaults } from './cluster.mjs'
import { codeFaults } from './code.mjs'
import { examplesFaults } from './examples.mjs'
import { foundationFaults } from './foundation.mjs'
import { gatewayFaults } from './gateway.mjs'
import { hostFaults } from './host.mjs'
import { inspectorPageFaults } from './inspector-page.mjs'
import { inspectorServiceFaults } from './inspector-service.mjs'
import { mcpClientFaults } from './mcp-client.mjs'
import { mcpProtocolFaults } from './mcp-protocol.mjs'
import { mcpServerFaults } from './mcp-server.mjs'
import { mcpTransportFaults } from './mcp-transport.mjs'
import { registryFaults } from './registry.mjs'
import { serversFaults } from './servers.mjs'
import { telemetryFaults } from './telemetry.mjs'
import { toolsFaults } from './tools.mjs'

/**
 * @typedef {object} PlantedFault
 * @property {string} id the requirement that is broken, or a package and a number, or a package and a number, or a package and a number, or a package and a number
 * @property {string} file where, as a whole path: a script that moves files finds it
 * @property {string} find what stands there exactly once
 * @property {string} put what takes its place
 * @property {string} test the file with the test that must fail
 * @property {string} [title] words of its title, where it does not name the id itself; empty where any test of the file may fail; empty where any test of the file may fail; empty where any test of the file may fail; empty where any test of the file may fail
 * @property {boolean} [isBuilt] the test starts a built program or page
 */

/** @type {readonly PlantedFault[]} */
export const plantedFaults = [
  ...mcpProtocolFaults,
  ...mcpServerFaults,
  ...mcpClientFaults,
  ...mcpTransportFaults,
  ...authFaults,
  ...foundationFaults,
  ...hostFaults,
  ...inspectorServiceFaults,
  ...inspectorPageFaults,
  ...cliFaults,
  ...registryFaults,
  ...gatewayFaults,
  ...clusterFaults,
  ...chatFaults,
  ...toolsFaults,
  ...codeFaults,
  ...telemetryFaults,
  ...serversFaults,
  ...examplesFaults,
]
