import type { Deployment, DeploymentCounts, DeploymentDetails, LogLine } from '@agency/contract/types'

export const aDeployment = (part: Partial<Deployment> = {}): Deployment => ({
  id: 'dep_1',
  site_id: 'site_1',
  site_name: 'Harbour Bakery',
  site_domain: 'harbour.example',
  customer_id: 'cus_1',
  customer_name: 'Ada Lovelace',
  kind: 'deploy',
  status: 'success',
  reason: null,
  failure: null,
  version: 'abc1234',
  queued_at: '2026-11-21T10:00:00Z',
  started_at: '2026-11-21T10:00:05Z',
  completed_at: '2026-11-21T10:01:05Z',
  duration: 60,
  position: null,
  waiting_for: null,
  provider: 'pages',
  provider_deployment_id: 'b1',
  build_id: 'build-1',
  commit_hash: 'abc1234def5678',
  commit_message: 'Bake more bread',
  branch: 'main',
  url: 'https://abc1234.harbour.pages.dev/',
  origin: 'console',
  requested_by: 'Grace Hopper',
  environment_version: 2,
  rolled_back_to: null,
  restored: null,
  is_live: false,
  retry_of: null,
  cancel_requested_at: null,
  log_lines: 3,
  can: { cancel: 'Already finished', retry: null, rollback: null },
  ...part,
})

export const deploymentDetailsOf = (part: Partial<DeploymentDetails> = {}): DeploymentDetails => ({
  ...aDeployment(),
  stages: [
    { name: 'queued', status: 'success', started_at: '2026-11-21T10:00:00Z', ended_at: '2026-11-21T10:00:05Z' },
    { name: 'clone_repo', status: 'success', started_at: '2026-11-21T10:00:05Z', ended_at: '2026-11-21T10:00:08Z' },
  ],
  environment_note: null,
  served: null,
  provider_page: null,
  is_log_complete: true,
  logs: [],
  ...part,
})

export const noDeployments: DeploymentCounts = {
  ...{ all: 0, queued: 0, building: 0, deploying: 0, success: 0, failed: 0, cancelled: 0 },
}

export const aLogLine = (number: number, text = `line ${number}`): LogLine => ({
  number,
  at: '2026-11-21T10:00:10Z',
  text,
})
