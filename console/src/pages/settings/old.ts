/** The calls whose answers a change of how one signs in makes old. */
export const OLD = ["GetTwoFactorStatus", "ListPasskeys", "ListCredentials", "GetCurrentUser"];
