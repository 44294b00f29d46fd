import * as settings from '@agency/contract/settings'
import { routesOf } from '../../platform/http/routes.ts'
import { changeSettings } from './service/change-settings.ts'
import { listSettings } from './service/list-settings.ts'
import { getMail, listMails, sendMailAgain } from './service/outbox.ts'
import { getPublicSettings } from './service/public-settings.ts'
import { getSettingHistory, revertSetting } from './service/setting-history.ts'
import { testConnection } from './service/test-connection.ts'

export { effectiveConfig } from './effective.ts'
export { createSettingsKeeper } from './keeper.ts'
export { countConsoles } from './queries/sealed.ts'
export { countSealed, type ResealCount, reseal } from './reseal.ts'
export { holdSecretsKey, isKeyOfDatabase, keyAdvice } from './secrets-key.ts'
export { readStored } from './stored.ts'

export const settingRoutes = routesOf(settings, {
  listSettings: ({ ctx }) => listSettings(ctx),
  changeSettings: ({ ctx, body }) => changeSettings(ctx, body),
  getSettingHistory: ({ ctx, params }) => getSettingHistory(ctx, params.id),
  revertSetting: ({ ctx, params, body }) => revertSetting(ctx, params.id, body.version),
  testConnection: ({ ctx, body }) => testConnection(ctx, body),
  getPublicSettings: ({ ctx }) => getPublicSettings(ctx),
  listMails: ({ ctx, query }) => listMails(ctx, query),
  getMail: ({ ctx, params }) => getMail(ctx, params.id),
  sendMailAgain: ({ ctx, params }) => sendMailAgain(ctx, params.id),
})
