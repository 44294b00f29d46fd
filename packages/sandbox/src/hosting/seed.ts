import type { DemoSite } from '../cloudflare/demo-sites.ts'
import { randomFrom } from '../world/random.ts'
import type { Build } from './build.ts'
import type { Builds } from './builds-store.ts'
import type { HostingOptions } from './types.ts'

const day = 86_400_000
const hex = '0123456789abcdef'

/** What was built by hand before the console came; found by its id, so that it is made once. */
function firstBuild(site: DemoSite, seed: string, now: number): Build {
  const random = randomFrom(`${seed} first build ${site.label}`)
  const at = new Date(now - random.int(12 * day, 90 * day)).toISOString()
  const build_id = `bld_${random.text(16, hex)}`
  return {
    build_id,
    label: site.label,
    kind: 'deploy',
    serves: build_id,
    deployment_id: null,
    callback_url: null,
    status: 'success',
    sequence: 5,
    reason: null,
    commit: { hash: random.text(40, hex), message: 'First version', branch: 'main' },
    created_at: at,
    finished_at: at,
    fault: null,
    lines: [{ at, text: `Build ${build_id} is served` }],
  }
}

export async function seedBuilds({ store, sites, wallNow }: HostingOptions, builds: Builds): Promise<void> {
  const seed = (await store.state())?.seed ?? ''
  for (const site of sites) {
    if (site.provider !== 'hook' || (await builds.served(site.label))) continue
    const build = firstBuild(site, seed, wallNow())
    await builds.save(build)
    await builds.serve(site.label, build.build_id)
  }
}
