/**
 * A certificate for this machine that nobody vouches for, good until 2126, and its key: for mail servers of the tests.
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost
 *   -addext subjectAltName=DNS:localhost,IP:127.0.0.1`
 */
export const LOCALHOST = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUY+9uPTrT0AVR10yIfSNhrbQcnmswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA4MDQwN1oYDzIxMjYxMDI4
MDgwNDA3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARmKxL0I/QqjIwruibkaxIISbMkHelwJk9ZbkPr5XEmn8g30IyHwEFX
U0Shon4lH80yj1AoVZQJZ6TU3sYVjTAjo28wbTAdBgNVHQ4EFgQU896eLntE3Ot4
Lkv1NEt6AmMseNYwHwYDVR0jBBgwFoAU896eLntE3Ot4Lkv1NEt6AmMseNYwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhALI/chteRuchXvPugusBJ6ogL9bTIi7N/F+CyR2ER9L6AiEA
k02rShYvTOGuuD51gRDpahWrtWMJzEXyPGhvhOT8t4I=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFbbfT5bJV8z+mSRQ
UCMeOiwsM7x4UenbrBT3ZjCGm5mhRANCAARmKxL0I/QqjIwruibkaxIISbMkHelw
Jk9ZbkPr5XEmn8g30IyHwEFXU0Shon4lH80yj1AoVZQJZ6TU3sYVjTAj
-----END PRIVATE KEY-----`,
};
