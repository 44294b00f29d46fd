import { randomFrom } from '../../world/random.ts'
import type { BuildPrivate, Stage } from '../types.ts'
import type { DeploymentRow } from './deployments.ts'
import { stageNames } from './stages.ts'

export type LogLine = { ts: string; line: string }
type Story = { row: DeploymentRow; commit: string; message: string }

const pages = ['index', 'about', 'menu', 'gallery', 'contact', 'prices', 'team', 'booking', 'news', 'imprint']
const outsiders = [
  '\u001b[33mwarn\u001b[39m deprecated inflight@1.0.6: this module leaks memory',
  '<img src=x onerror=alert("postinstall")> thank you for installing lighthouse-icons',
  "\u001b]0;owned\u0007\u001b[2J postinstall: =cmd|' /C calc'!A0",
]

function variables({ row }: Story): string[] {
  const known = Object.entries(row.doc.env_vars ?? {}).flatMap(([name, value]) => {
    if (!value) return []
    return [value.type === 'secret_text' ? `  - ${name}: (secret)` : `  - ${name}: ${value.value}`]
  })
  return known.length > 0 ? ['Build environment variables:', ...known] : ['Build environment variables: (none found)']
}

function clone({ row, commit, message }: Story): string[] {
  const { owner, repo_name: repository } = row.doc.source.config
  const { branch } = row.doc.deployment_trigger.metadata
  return [
    'Cloning repository...',
    `From https://github.com/${owner}/${repository}`,
    ` * branch            ${commit} -> FETCH_HEAD`,
    '',
    `HEAD is now at ${commit.slice(0, 7)} ${message.split('\n')[0]}`,
    `Using branch ${branch}`,
    'Success: Finished cloning repository files',
  ]
}

function pageLine(index: number, milliseconds: number): string {
  const page = pages[index % pages.length]
  const path = index < pages.length ? `/${page}/index.html` : `/${page}/${Math.floor(index / pages.length)}/index.html`
  return `  \u001b[34m├─\u001b[39m ${path} \u001b[2m(+${milliseconds}ms)\u001b[22m`
}

function build(story: Story): string[] {
  const { row } = story
  const random = randomFrom(`log ${row.id}`)
  const printed = Array.from({ length: row.priv.lines }, (_, index) => pageLine(index, random.int(2, 90)))
  const begin = [
    'Checking for configuration in a Wrangler configuration file (BETA)',
    'No Wrangler configuration file found. Continuing.',
    ...variables(story),
    'Detected the following tools from environment: npm@10.9.2, nodejs@22.16.0',
    'Installing project dependencies: npm clean-install --progress=false',
    outsiders[random.int(0, outsiders.length - 1)]!,
    `added ${random.int(180, 420)} packages, and audited ${random.int(430, 520)} packages in ${random.int(3, 12)}s`,
    'Executing user command: npm run build',
    '',
    `> ${row.project}@1.4.${random.int(0, 40)} build`,
    '> astro build',
    '',
    '\u001b[42m\u001b[30m generating static routes \u001b[39m\u001b[49m',
  ]
  const seconds = (random.int(80, 900) / 100).toFixed(2)
  if (row.priv.failsAt !== 'build') {
    return [...begin, ...printed, `\u001b[32m✓ Completed in ${seconds}s.\u001b[39m`, 'Finished']
  }
  return [
    ...begin,
    ...printed.slice(0, Math.ceil(printed.length / 2)),
    `\u001b[31m[ERROR]\u001b[39m Cannot find module './components/${random.pick(pages)}.astro'`,
    `    at /opt/buildhome/repo/src/pages/${random.pick(pages)}.astro:12:7`,
    'Failed: Error while executing user command. Exited with error code: 1',
    'Failed: build command exited with code: 1. For more info, see https://developers.cloudflare.com/pages/',
    'Failed: error occurred while running build command',
  ]
}

const linesOf: Record<Stage['name'], (story: Story) => string[]> = {
  queued: () => [],
  initialize: () => ['Initializing build environment...', 'Success: Finished initializing build environment'],
  clone_repo: clone,
  build,
  deploy: ({ row }) => [
    'Validating asset output directory',
    "Deploying your site to Cloudflare's global network...",
    `Parsed ${2 + (row.priv.lines % 5)} valid header rules.`,
    `Uploading... (${row.priv.lines}/${row.priv.lines})`,
    '✨ Success! Upload complete.',
    'Success: Assets published!',
    'Success: Your site was deployed!',
  ],
}

const lastStage = ({ failsAt }: BuildPrivate) =>
  failsAt === null ? stageNames.length : stageNames.indexOf(failsAt) + 1

/** The log as far as it has grown: the lines of a stage come evenly over its time. */
export function logAt(row: DeploymentRow, now: number): LogLine[] {
  const { commit_hash: commit, commit_message: message } = row.doc.deployment_trigger.metadata
  const until = Math.min(now, row.priv.stoppedAt ?? now)
  const shown: LogLine[] = []
  if (row.doc.is_skipped) return shown
  let start = row.created
  for (const [index, name] of stageNames.slice(0, lastStage(row.priv)).entries()) {
    const duration = row.priv.durations[index] ?? 0
    if (start > until) break
    const lines = linesOf[name]({ row, commit, message })
    for (const [number, line] of lines.entries()) {
      const at = start + Math.floor((duration * (number + 1)) / (lines.length + 1))
      if (at > until) return shown
      shown.push({ ts: new Date(at).toISOString(), line })
    }
    start += duration
  }
  return shown
}
