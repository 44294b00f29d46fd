import type { DemoSite } from '../cloudflare/demo-sites.ts'

export type BuildStatus = 'queued' | 'building' | 'deploying' | 'success' | 'failed'
export const hookFaults = [
  ...(['fail', 'no_callback', 'twice', 'out_of_order', 'wrong_signature'] as const),
  // Answered with 503: nothing is built, or it is built all the same.
  ...(['down', 'answer_503'] as const),
]
export type HookFault = (typeof hookFaults)[number]

export type Commit = { hash: string; message: string; branch: string }
export type Line = { at: string; text: string }

export type Build = {
  build_id: string
  label: string
  kind: 'deploy' | 'rollback'
  /** What is served when it succeeds: itself, or an older one. */
  serves: string
  deployment_id: string | null
  callback_url: string | null
  status: BuildStatus
  /** How often it was told of. */
  sequence: number
  reason: string | null
  commit: Commit
  created_at: string
  finished_at: string | null
  fault: HookFault | null
  lines: Line[]
}

export const isOpen = ({ status }: Build) => status !== 'success' && status !== 'failed'

type Step = { status: BuildStatus; reason?: string; texts: string[] }

const failure = 'The build command ended with exit code 1'

const cloning = ({ commit }: Build) => [
  `Cloning branch ${commit.branch}`,
  `HEAD is now at ${commit.hash.slice(0, 7)} ${commit.message}`,
  'Installing dependencies',
  'added 214 packages in 3s',
]

const building = (site: DemoSite) => [
  '> build',
  '> generate-site --out dist',
  `Rendering the pages of ${site.name}`,
  'Rendered 18 pages, 46 pictures',
]

/** What happens next to a build that is not over; each step is told of once. */
export function nextStep(build: Build, site: DemoSite): Step {
  const fails = build.fault === 'fail' || site.builds === 'failing'
  if (build.kind === 'rollback') {
    if (build.status === 'queued')
      return { status: 'deploying', texts: [`Bringing back build ${build.serves}`, 'Switching the site over'] }
    return fails
      ? {
          status: 'failed',
          reason: 'The old build could not be brought back',
          texts: ['Error: the build was not found'],
        }
      : { status: 'success', texts: [`Build ${build.serves} is served again`] }
  }
  if (build.status === 'queued') return { status: 'building', texts: cloning(build) }
  if (build.status === 'building' && build.sequence < 3) return { status: 'building', texts: building(site) }
  if (build.status === 'building') {
    if (fails)
      return { status: 'failed', reason: failure, texts: ['Error: page "/menu" could not be rendered', failure] }
    return { status: 'deploying', texts: ['Uploading 64 files', 'Switching the site over'] }
  }
  return { status: 'success', texts: [`Build ${build.build_id} is served`] }
}
