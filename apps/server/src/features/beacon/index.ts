import { beacons } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { forgetOldHours, getBeacon, updateBeacon } from './service.ts'

export { beaconCalls } from './webhook.ts'

export const beaconRoutes = routesOf(beacons, {
  getSiteBeacon: async ({ ctx, params }) => ({ beacon: await getBeacon(ctx, params.id) }),
  updateSiteBeacon: async ({ ctx, params, body }) => ({ beacon: await updateBeacon(ctx, params.id, body) }),
})

export const beaconJobs = [
  job({
    name: 'beacon.forget',
    input: z.object({}),
    schedule: '55 3 * * *',
    policy: 'alone',
    run: (ctx) => forgetOldHours(ctx),
  }),
]
