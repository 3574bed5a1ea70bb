/** Variables by which Node.js loads code, or writes files, besides what its words tell. */
export const nodeLoads =
  /^NODE_(?!(?:ENV|NO_WARNINGS|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|DISABLE_COLORS|REPL_HISTORY|VERSION)$)\w+$/;
