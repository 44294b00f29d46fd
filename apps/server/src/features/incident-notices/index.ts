import { incidentNotices } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { getChoices, setChoices } from './service/choices.ts'
import { getNotice, getNotices, previewNotice, retryNotice, sendNotice } from './service/notices.ts'

export const incidentNoticeRoutes = routesOf(incidentNotices, {
  getIncidentNotices: ({ ctx, params }) => getNotices(ctx, params.id),
  previewIncidentNotice: ({ ctx, params, body }) => previewNotice(ctx, params.id, body),
  sendIncidentNotice: {
    handle: async ({ ctx, params, body, claim }) => ({ notice: await sendNotice(ctx, params.id, body, claim) }),
    replay: async ({ ctx, subject }) => ({ notice: await getNotice(ctx, subject) }),
  },
  retryIncidentNotice: async ({ ctx, params, body }) => ({
    notice: await retryNotice(ctx, params.id, params.notice, body.customer_id),
  }),
  getMailChoices: async ({ ctx, params }) => ({ choices: await getChoices(ctx, params.id) }),
  setMailChoices: async ({ ctx, params, body }) => ({ choices: await setChoices(ctx, params.id, body) }),
})
