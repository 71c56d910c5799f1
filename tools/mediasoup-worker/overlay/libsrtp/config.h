// The configuration of libsrtp 2.5.0 for 64-bit Linux with the ciphers of OpenSSL, without its configure script.
#pragma once
#define PACKAGE_VERSION "2.5.0"
#define PACKAGE_STRING "libsrtp2 2.5.0"
#define OPENSSL 1
#define GCM 1
#define CPU_CISC 1
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WORDS_BIGENDIAN 1
#endif
#define HAVE_BYTESWAP_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_NETINET_IN_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_INT32_T 1
#define HAVE_UINT8_T 1
#define HAVE_UINT16_T 1
#define HAVE_UINT32_T 1
#define HAVE_UINT64_T 1
#define SIZEOF_UNSIGNED_LONG 8
#define SIZEOF_UNSIGNED_LONG_LONG 8
