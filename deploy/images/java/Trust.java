import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

/** Makes of a bundle of certificates in PEM a store that Java trusts: Trust.java BUNDLE STORE. */
final class Trust {
  public static void main(String[] paths) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream bundle = Files.newInputStream(Path.of(paths[0]))) {
      int number = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(bundle)) {
        store.setCertificateEntry("certificate" + number++, one);
      }
    }
    try (OutputStream file = Files.newOutputStream(Path.of(paths[1]))) {
      store.store(file, "changeit".toCharArray());
    }
  }
}
