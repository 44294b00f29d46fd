import { ConfigError, loadConfig } from '../config.ts'
import { createLogger } from '../platform/logger.ts'
import { checkDatabase } from './doctor/database.ts'
import { type Finding, fail, ok, printFindings } from './doctor/finding.ts'
import { checkBuilds, checkChromium, checkDataDir, checkNode } from './doctor/machine.ts'
import { checkMail, checkPort } from './doctor/network.ts'
import { checkCloudflare, checkMode, checkStore, checkStripe } from './doctor/providers.ts'
import { checkTransport } from './doctor/settings.ts'

// One screen: what is configured, what is reachable and what is wrong.
async function examine(): Promise<Finding[]> {
  const node = checkNode()
  try {
    const environment = loadConfig()
    let config = environment
    const database = await checkDatabase(environment, createLogger('silent'), (inForce) => {
      config = inForce
    })
    const others = await Promise.all([
      checkPort(config),
      checkStripe(config),
      checkCloudflare(config),
      checkMail(config),
      checkStore(config),
    ])
    return [
      node,
      ok('Environment', `read, ${config.version}`),
      checkMode(config),
      checkTransport(config),
      ...checkDataDir(config),
      ...database,
      ...others,
      checkBuilds(),
      checkChromium(),
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [node, fail('Environment', error.message, 'set it, or unset it for its default')]
  }
}

const findings = await examine()
const isWell = findings.every(({ state }) => state !== 'fail')
process.stdout.write(
  process.argv.includes('--json')
    ? `${JSON.stringify({ ok: isWell, findings }, null, 2)}\n`
    : `${printFindings(findings)}\n`,
)
process.exitCode = isWell ? 0 : 1
